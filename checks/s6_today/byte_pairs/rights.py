"""Right versions of s6_today/byte_pairs.py that look different."""

from checks.engine.known import Right
from checks.s6_today.byte_pairs.mistakes import (
    BEST,
    COUNTED,
    EACH,
    FIRST,
    JOINED,
    OUT,
    PIECES,
    RANK,
    STEP,
    TABLE,
)

STACKED = Right(
    "merged looks at the last id that it kept.",
    {
        OUT: """\
    out, fresh = [], False
    for id in ids:
        if out and not fresh and (out[-1], id) == pair:
            out[-1], fresh = new, True
        else:
            out.append(id)
            fresh = False
    return out
"""
    },
)
BY_RECURSION_OF_INDEX = Right(
    "merged compares both ids, with a check for the end.",
    {
        "if tuple(ids[at : at + 2]) == pair:": """\
if at < len(ids) - 1 and ids[at] == pair[0] and ids[at + 1] == pair[1]:"""
    },
)
EVERY_PIECE = Right(
    "learn keeps every piece of the text, as often as it stands there.",
    {
        PIECES: "pieces = [(list(piece.encode()), 1) for piece in PIECE.findall(text)]",
    },
)
PLAIN_DICTIONARY = Right(
    "learn counts with a dictionary, and finds the best in a loop.",
    {
        COUNTED: """\
        counts: dict[Pair, int] = {}
        for ids, n in pieces:
            for at in range(len(ids) - 1):
                pair = (ids[at], ids[at + 1])
                counts[pair] = counts.get(pair, 0) + n
""",
        BEST: """\
best, most = None, 0
        for pair, count in counts.items():
            if count > most:
                best, most = pair, count""",
    },
)
MOST_COMMON = Right(
    "most_common keeps the order in which pairs were met.",
    {BEST: "best = counts.most_common(1)[0][0]"},
)
COUNTS_KEPT = Right(
    "learn keeps the counts, and counts again only in pieces that a merge has changed.",
    {
        "    while len(merges) < num_merge:\n" + COUNTED: """\
    counts: Counter[Pair] = Counter()
    for ids, n in pieces:
        for pair in pairwise(ids):
            counts[pair] += n
    while len(merges) < num_merge:
        counts = +counts
""",
        BEST: """\
most = max(counts.values())
        best = next(pair for ids, _ in pieces for pair in pairwise(ids) if counts[pair] == most)""",
        f"        {STEP}\n": """\
        for at, (ids, n) in enumerate(pieces):
            if best in pairwise(ids):
                for pair in pairwise(ids):
                    counts[pair] -= n
                ids = merged(ids, best, 256 + len(merges))
                for pair in pairwise(ids):
                    counts[pair] += n
                pieces[at] = (ids, n)
""",
    },
)
FOR_LOOP = Right(
    "learn makes its merges in a for loop over their ids.",
    {
        "    while len(merges) < num_merge:\n": "    for new in range(256, 256 + num_merge):\n",
        "merged(ids, best, 256 + len(merges))": "merged(ids, best, new)",
    },
)
ALL_MERGES_IN_ORDER = Right(
    "encode tries every merge, in the order in which they were learned.",
    {
        EACH: """\
        ids = list(piece.encode())
        for n, pair in enumerate(merges):
            ids = merged(ids, pair, 256 + n)
        tokens += ids
"""
    },
)
ONE_PLACE_AT_A_TIME = Right(
    "encode merges one place at a time, the leftmost of the first learned.",
    {
        EACH: """\
        ids = list(piece.encode())
        while True:
            found = [(rank[pair], at) for at, pair in enumerate(pairwise(ids)) if pair in rank]
            if not found:
                break
            n, at = min(found)
            ids[at : at + 2] = [256 + n]
        tokens += ids
"""
    },
)
RANK_OF_THE_LIST = Right(
    "The place of a pair is searched in the list of merges.",
    {
        RANK: "    known = list(merges)\n",
        FIRST: """\
found = [pair for pair in pairwise(ids) if pair in known]""",
        "if first not in rank:": "if not found:",
        "ids = merged(ids, first, 256 + rank[first])": """\
best = min(map(known.index, found))
            ids = merged(ids, known[best], 256 + best)""",
    },
)
INFINITE_RANK = Right(
    "An unknown pair has an infinite rank.",
    {"rank.get(pair, len(merges))": 'rank.get(pair, float("inf"))'},
)
EACH_PIECE_ONCE = Right(
    "encode remembers the ids of a piece during one call.",
    {
        EACH: """\
        if piece not in seen:
            ids = list(piece.encode())
            while len(ids) > 1:
                first = min(pairwise(ids), key=lambda pair: rank.get(pair, len(merges)))
                if first not in rank:
                    break
                ids = merged(ids, first, 256 + rank[first])
            seen[piece] = ids
        tokens += seen[piece]
""",
        "    tokens: list[int] = []\n": "    tokens: list[int] = []\n    seen: dict[str, list[int]] = {}\n",
    },
)
BYTEARRAY = Right(
    "decode collects the bytes in a bytearray.",
    {
        JOINED: """\
found = bytearray()
    for id in ids:
        found += token[id]
    return found.decode(errors="replace")"""
    },
)
RECURSION = Right(
    "decode takes a token apart until only bytes are left.",
    {
        TABLE: """\
    def bytes_of(id: int) -> bytes:
        if id < 256:
            return bytes([id])
        left, right = merges[id - 256]
        return bytes_of(left) + bytes_of(right)

""",
        JOINED: 'return b"".join(map(bytes_of, ids)).decode("utf-8", "replace")',
    },
)
DICTIONARY_OF_TOKENS = Right(
    "decode keeps the bytes of tokens in a dictionary.",
    {
        TABLE: """\
    token = {byte: bytes([byte]) for byte in range(256)}
    for n, (left, right) in enumerate(merges):
        token[256 + n] = token[left] + token[right]
"""
    },
)
