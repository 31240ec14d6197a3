"""What people get wrong in s6_today/byte_pairs.py.

Not here, on purpose:
- One place is merged at a time, so a long piece takes long: it is right, and only slow.
- A token is spelled by recursion: only a chain of a thousand merges shows it, and no text has one.
"""

from checks.engine.known import Mistake

OUT = """\
    out, at = [], 0
    while at < len(ids):
        if tuple(ids[at : at + 2]) == pair:
            out.append(new)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out
"""
PIECES = "pieces = [(list(piece.encode()), n) for piece, n in Counter(PIECE.findall(text)).items()]"
BEST = "best = max(counts, key=counts.get)"
STEP = "pieces = [(merged(ids, best, 256 + len(merges)), n) for ids, n in pieces]"
COUNTED = """\
        counts: Counter[Pair] = Counter()
        for ids, n in pieces:
            for pair in pairwise(ids):
                counts[pair] += n
"""
RANK = """\
    rank: dict[Pair, int] = {}
    for n, pair in enumerate(merges):
        rank.setdefault(pair, n)
"""
FIRST = "first = min(pairwise(ids), key=lambda pair: rank.get(pair, len(merges)))"
EACH = """\
        ids = list(piece.encode())
        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: rank.get(pair, len(merges)))
            if first not in rank:
                break
            ids = merged(ids, first, 256 + rank[first])
        tokens += ids
"""
OF_TEXT = "for piece in PIECE.findall(text):"
TABLE = """\
    token = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        token.append(token[left] + token[right])
"""
JOINED = 'return b"".join(token[id] for id in ids).decode("utf-8", errors="replace")'

# merged

SECOND_KEPT = Mistake(
    "merged moves on by one id after a pair. The right half of the pair then stays in the list.",
    {"at += 2": "at += 1"},
)
ONE_TOO_FAR = Mistake(
    "merged moves on by three ids after a pair, so the id behind each pair is lost.",
    {"at += 2": "at += 3"},
)
FIRST_ONLY = Mistake(
    "merged replaces only the first pair of the list. Every such pair becomes the new id.",
    {
        OUT: """\
    for at in range(len(ids) - 1):
        if tuple(ids[at : at + 2]) == pair:
            return [*ids[:at], new, *ids[at + 2 :]]
    return list(ids)
"""
    },
)
LAST_ID_LOST = Mistake(
    "merged stops before the last id. If the list does not end in a pair, its last id is lost.",
    {"while at < len(ids):": "while at < len(ids) - 1:"},
)
LAST_PAIR_UNSEEN = Mistake(  # Without the second edit, encode would never end.
    "merged does not see a pair at the very end of the list: its loop ends one place too early.",
    {
        "if tuple(ids[at : at + 2]) == pair:": """\
if at + 2 < len(ids) and tuple(ids[at : at + 2]) == pair:""",
        "            ids = merged(ids, first, 256 + rank[first])\n": """\
            before, ids = ids, merged(ids, first, 256 + rank[first])
            if ids == before:
                break
""",
    },
)
FROM_THE_RIGHT = Mistake(
    "merged goes from right to left. Of three equal ids, the first two belong together.",
    {
        OUT: OUT.replace("out, at = [], 0", "ids, out, at = ids[::-1], [], 0")
        .replace("== pair", "== pair[::-1]")
        .replace("return out", "return out[::-1]")
    },
)
EITHER_ORDER = Mistake(
    "merged takes a pair in either order. The pair b a is another one than a b.",
    {"if tuple(ids[at : at + 2]) == pair:": "if tuple(ids[at : at + 2]) in (pair, pair[::-1]):"},
)
NEW_ID_TWICE = Mistake(
    "merged puts the new id in place of both ids of a pair. One new id stands for two.",
    {"out.append(new)": "out += [new, new]"},
)

# learn: pieces

BLANKS_SPLIT_AWAY = Mistake(
    "learn splits the text at blanks and loses them. No token can then begin with a blank, and "
    "signs are part of words.",
    {PIECES: PIECES.replace("PIECE.findall(text)", "text.split()")},
    seen="rasbt/LLMs-from-scratch#945, rasbt/LLMs-from-scratch#975, rasbt/LLMs-from-scratch#495",
)
BLANKS_APART = Mistake(
    "learn makes each blank a piece of its own. A blank belongs to the word behind it.",
    {PIECES: PIECES.replace("PIECE.findall(text)", 're.findall(r"\\s+|\\w+|[^\\s\\w]+", text)')},
)
ACROSS_WORDS = Mistake(
    "learn takes the whole text as one piece. Pairs then reach from one word into the next.",
    {PIECES: "pieces = [(list(text.encode()), 1)]"},
)
LEARNED_BLANK_BEFORE = Mistake(
    "learn puts a blank before the text. Only what stands in the text counts.",
    {PIECES: PIECES.replace("findall(text)", 'findall(" " + text)')},
    seen="karpathy/nanochat@05a051d",
)
LEARNED_CHARACTERS = Mistake(
    "learn begins with characters instead of bytes. A character beyond ASCII has several bytes of "
    "UTF-8, each with its id.",
    {PIECES: PIECES.replace("list(piece.encode())", "list(map(ord, piece))")},
)
LEARNED_LATIN = Mistake(
    "learn encodes the text as Latin-1. The bytes are those of UTF-8, which has every character.",
    {PIECES: PIECES.replace("piece.encode()", 'piece.encode("latin-1", "replace")')},
)
LEARNED_SMALL = Mistake(
    "learn makes all letters small. Capitals are other bytes, and have merges of their own.",
    {PIECES: PIECES.replace("findall(text)", "findall(text.lower())")},
)
LEARNED_STRIPPED = Mistake(
    "learn strips the text. Blanks and lines at both ends count, too.",
    {PIECES: PIECES.replace("findall(text)", "findall(text.strip())")},
)
PIECES_STRIPPED = Mistake(
    "learn strips each piece. The blank before a word is part of its piece.",
    {PIECES: PIECES.replace("piece.encode()", "piece.strip().encode()")},
)
LEARNED_BY_LENGTH_OF_TEXT = Mistake(
    "learn leaves out pieces of one character. A single character can have several bytes, which "
    "are pairs.",
    {PIECES: PIECES.replace(".items()]", ".items() if len(piece) > 1]")},
    seen="karpathy/nanochat@2ce972a",
)

# learn: counts

PIECES_COUNTED_ONCE = Mistake(
    "learn counts each different piece once. A pair of a frequent word should count each time that "
    "the word stands in the text.",
    {"counts[pair] += n": "counts[pair] += 1"},
)
ONCE_PER_PIECE = Mistake(
    "learn counts a pair once per piece, even if the piece holds it several times.",
    {"for pair in pairwise(ids):": "for pair in dict.fromkeys(pairwise(ids)):"},
)
WITHOUT_OVERLAP = Mistake(
    "learn counts overlapping pairs once. aaa has two pairs: each neighbour counts.",
    {
        "for pair in pairwise(ids):": "for pair in apart(ids):",
        "def learn(": '''\
def apart(ids: list[int]) -> list[Pair]:
    """The pairs of neighbours, without a pair that overlaps an equal one."""
    found, last = [], -2
    for at, pair in enumerate(pairwise(ids)):
        if not (found and last == at - 1 and found[-1] == pair):
            found.append(pair)
            last = at
    return found


def learn(''',
    },
    seen="google/sentencepiece#318",
)
NOT_COUNTED_AGAIN = Mistake(
    "learn counts the pairs only once, before the first merge. Each merge makes new pairs and takes "
    "old ones away.",
    {
        "    while len(merges) < num_merge:\n" + COUNTED: COUNTED.replace("\n    ", "\n")[4:]
        + "    while len(merges) < num_merge:\n",
        "        merges.append(best)\n": "        merges.append(best)\n        del counts[best]\n",
    },
)
OLD_PIECES = Mistake(
    "learn merges no piece, so it finds the same pair each time. Count the next pairs in what the "
    "last merge left.",
    {f"        {STEP}\n": ""},
)
PAIRS_OF_TWO = Mistake(
    "learn cuts each piece into pairs that do not share an id. Every two neighbours are a pair.",
    {"for pair in pairwise(ids):": "for pair in zip(ids[::2], ids[1::2]):"},
)

# learn: the choice

RAREST = Mistake(
    "learn merges the rarest pair. It should be the most frequent one.",
    {BEST: "best = min(counts, key=counts.get)"},
)
LAST_OF_EQUALS = Mistake(
    "Of several pairs that are most frequent, learn takes the last. It should be the one that is met "
    "first.",
    {BEST: "best = max(reversed(counts), key=counts.get)"},
)
SMALLEST_OF_EQUALS = Mistake(
    "Of several pairs that are most frequent, learn takes the one with the smallest ids. It should "
    "be the one that is met first.",
    {BEST: "best = min(counts, key=lambda pair: (-counts[pair], pair))"},
)
LARGEST_OF_EQUALS = Mistake(
    "Of several pairs that are most frequent, learn takes the one with the largest ids. It should "
    "be the one that is met first.",
    {BEST: "best = max(counts, key=lambda pair: (counts[pair], pair))"},
)
MET_BY_FREQUENCY = Mistake(
    "learn goes through the most frequent pieces first. Of equal pairs, it should take the one that "
    "is met first in the text.",
    {PIECES: PIECES.replace(".items()", ".most_common()")},
)
MET_BY_ALPHABET = Mistake(
    "learn goes through sorted pieces. Of equal pairs, it should take the one that is met first in "
    "the text.",
    {PIECES: PIECES.replace("(PIECE.findall(text))", "(sorted(PIECE.findall(text)))")},
)
NO_PAIR_LEFT = Mistake(
    "learn stops with an error if no pair is left. It should end there, with fewer merges.",
    {"        if not counts:\n            break\n": ""},
    seen="rasbt/LLMs-from-scratch#1004",
)
SINGLE_PAIRS_LEFT = Mistake(
    "learn ends as soon as no pair stands in the text twice. It goes on until no pair is left.",
    {"if not counts:": "if not counts or max(counts.values()) < 2:"},
)

# learn: the result

IDS_OF_VOCABULARY = Mistake(
    "num_merge is used as the size of the vocabulary, with its 256 bytes. It is the number of "
    "merges alone.",
    {"while len(merges) < num_merge:": "while 256 + len(merges) < num_merge:"},
)
ONE_MERGE_MORE = Mistake(
    "learn makes one merge too many.",
    {"while len(merges) < num_merge:": "while len(merges) <= num_merge:"},
)
LEARNED_FROM_0 = Mistake(
    "learn gives the merges the ids from 0 on. These are the ids of bytes: two tokens share an id "
    "then.",
    {"best, 256 + len(merges))": "best, len(merges))"},
)
LEARNED_FROM_257 = Mistake(
    "learn gives the first merge the id 257. The bytes end at 255, so it is 256.",
    {"best, 256 + len(merges))": "best, 257 + len(merges))"},
)
LEARNED_LISTS = Mistake(
    "The pairs of learn are lists. encode looks them up in a dictionary, and a list cannot be a key.",
    {"    return merges\n": "    return [list(pair) for pair in merges]\n"},
)
LEARNED_DICTIONARY = Mistake(
    "learn returns a dictionary. The contract is a list of pairs: the place of a pair is its rank.",
    {"    return merges\n": "    return {pair: 256 + n for n, pair in enumerate(merges)}\n"},
)

# encode: which pair comes first

LEFTMOST_FIRST = Mistake(
    "encode merges the leftmost pair that it knows. The pair that was learned first comes first.",
    {FIRST: "first = next((pair for pair in pairwise(ids) if pair in rank), None)"},
    seen="rasbt/LLMs-from-scratch#558",
)
SMALLEST_FIRST = Mistake(
    "encode merges the known pair with the smallest ids. The pair that was learned first comes "
    "first.",
    {FIRST: "first = min((pair for pair in pairwise(ids) if pair in rank), default=None)"},
)
LONGEST_FIRST = Mistake(
    "encode takes the longest token that fits, from left to right. It should repeat the merges in "
    "the order in which they were learned.",
    {
        EACH: """\
        rest = piece.encode()
        words = [bytes([byte]) for byte in range(256)]
        for left, right in merges:
            words.append(words[left] + words[right])
        while rest:
            best = max((n for n, w in enumerate(words) if rest.startswith(w)), key=lambda n: len(words[n]))
            tokens.append(best)
            rest = rest[len(words[best]) :]
"""
    },
    seen="rasbt/LLMs-from-scratch#558",
)
LAST_LEARNED_FIRST = Mistake(
    "encode merges the pair that was learned last. The pair that was learned first comes first.",
    {FIRST: "first = max(pairwise(ids), key=lambda pair: rank.get(pair, -1))"},
)
RANKS_OF_TOKENS = Mistake(
    "encode looks up the bytes of the joined token. A merge belongs to a pair: a + bc is not ab + c, "
    "though both give abc.",
    {
        EACH: """\
        word = [bytes([byte]) for byte in range(256)]
        for left, right in merges:
            word.append(word[left] + word[right])
        place = {bytes_of: n for n, bytes_of in reversed(list(enumerate(word)))}
        ids = list(piece.encode())
        while len(ids) > 1:
            first = min(
                pairwise(ids), key=lambda pair: place.get(word[pair[0]] + word[pair[1]], len(word))
            )
            if word[first[0]] + word[first[1]] not in place:
                break
            ids = merged(ids, first, place[word[first[0]] + word[first[1]]])
        tokens += ids
"""
    },
)
LATER_RANK = Mistake(
    "If a pair stands in the merges twice, its later place replaces the first one. It then comes too "
    "late, and gets another id.",
    {RANK: "    rank = {pair: n for n, pair in enumerate(merges)}\n"},
    seen="lattice#259",
)
ONE_MERGE_PER_PIECE = Mistake(
    "encode makes one merge in each piece. It should go on until no pair is known.",
    {
        "while len(ids) > 1:": "if len(ids) > 1:",
        "            if first not in rank:\n                break\n            ids =": "            if first in rank:\n                ids =",
    },
)
SHORT_PIECES_WHOLE = Mistake(
    "encode leaves pieces of two ids as they are. They are a pair, too.",
    {"while len(ids) > 1:": "while len(ids) > 2:"},
)
UNKNOWN_PAIR = Mistake(
    "encode stops with an error if a pair was never learned. Such pairs stay as they are.",
    {FIRST: "first = min(pairwise(ids), key=lambda pair: rank[pair])"},
)
ENCODED_FROM_0 = Mistake(
    "encode gives the merges the ids from 0 on. These are the ids of bytes.",
    {"256 + rank[first]": "rank[first]"},
)
ENCODED_FROM_257 = Mistake(
    "encode gives the first merge the id 257. The bytes end at 255, so it is 256.",
    {"256 + rank[first]": "257 + rank[first]"},
)

# encode: the text

ENCODED_ACROSS_WORDS = Mistake(
    "encode takes a whole text as one piece. Pairs then reach from one word into the next, which "
    "was never learned.",
    {OF_TEXT: "for piece in [text]:"},
)
ENCODED_BLANKS_LOST = Mistake(
    "encode splits the text at blanks and loses them. The text cannot be given back.",
    {OF_TEXT: "for piece in text.split():"},
    seen="rasbt/LLMs-from-scratch#945, rasbt/LLMs-from-scratch#975, rasbt/LLMs-from-scratch#495",
)
ENCODED_ONE_BLANK = Mistake(
    "encode makes one blank of several, and a blank of a line break. The text cannot be given back.",
    {OF_TEXT: 'for piece in PIECE.findall(re.sub(r"\\s+", " ", text)):'},
)
ENCODED_BLANK_BEFORE = Mistake(
    "encode puts a blank before the text. The text that comes back then has one more.",
    {OF_TEXT: 'for piece in PIECE.findall(" " + text):'},
    seen="karpathy/nanochat@05a051d",
)
ENCODED_STRIPPED = Mistake(
    "encode strips the text. Blanks and lines at both ends belong to it.",
    {OF_TEXT: "for piece in PIECE.findall(text.strip()):"},
)
ENCODED_SMALL = Mistake(
    "encode makes all letters small. The capitals are gone when the text comes back.",
    {OF_TEXT: "for piece in PIECE.findall(text.lower()):"},
)
ENCODED_CHARACTERS = Mistake(
    "encode begins with characters instead of bytes. The ids of characters beyond ASCII are those "
    "of other tokens.",
    {"ids = list(piece.encode())": "ids = list(map(ord, piece))"},
)
ENCODED_ASCII = Mistake(
    "encode keeps ASCII characters only. All others are lost without a word.",
    {"ids = list(piece.encode())": 'ids = list(piece.encode("ascii", "ignore"))'},
)
ENCODED_NORMALISED = Mistake(
    "encode normalises the text: a letter and its accent become one character. The text that comes "
    "back is another one.",
    {
        "import re\n": "import re\nimport unicodedata\n",
        OF_TEXT: 'for piece in PIECE.findall(unicodedata.normalize("NFKC", text)):',
    },
)
ENCODED_BY_LENGTH_OF_TEXT = Mistake(
    "encode does not merge a piece of one character. A single character can have several bytes.",
    {"while len(ids) > 1:": "while len(piece) > 1 and len(ids) > 1:"},
    seen="karpathy/nanochat@2ce972a",
)
ENCODED_AT_MOST_1024 = Mistake(
    "encode reads at most 1024 bytes of a piece. The rest of the text is lost.",
    {"ids = list(piece.encode())": "ids = list(piece.encode())[:1024]"},
)
ENCODED_IN_PIECES = Mistake(
    "encode returns a list for each piece. It should be one list of ids.",
    {"tokens += ids": "tokens.append(ids)"},
)
PIECES_REMEMBERED = Mistake(
    "encode keeps the ids of a piece for later calls. With other merges the piece has other ids.",
    {
        "def encode(": "KNOWN: dict[str, list[int]] = {}\n\n\ndef encode(",
        "        tokens += ids\n": "        tokens += KNOWN.setdefault(piece, ids)\n",
    },
)

# decode

DECODED_ONE_BY_ONE = Mistake(
    "decode makes text of every token by itself. A character can be in two tokens: join the bytes "
    "first.",
    {JOINED: 'return "".join(token[id].decode("utf-8", errors="replace") for id in ids)'},
)
HALF_A_CHARACTER_RAISES = Mistake(
    "decode stops with an error at half a character. A model may write one at any time.",
    {', errors="replace")': ")"},
)
HALF_A_CHARACTER_IGNORED = Mistake(
    "decode leaves out bytes that are no valid UTF-8. They become the sign �.",
    {'errors="replace"': 'errors="ignore"'},
)
DECODED_LATIN = Mistake(
    "decode reads the bytes as Latin-1. Each byte then becomes a character, even half of one.",
    {'.decode("utf-8", errors="replace")': '.decode("latin-1")'},
)
RIGHT_BEFORE_LEFT = Mistake(
    "decode puts the right half of a pair before the left one.",
    {"token.append(token[left] + token[right])": "token.append(token[right] + token[left])"},
)
BLANKS_BETWEEN = Mistake(
    "decode puts a blank between tokens. Blanks are part of the tokens already.",
    {'b"".join(': 'b" ".join('},
)
DECODED_STRIPPED = Mistake(
    "decode strips the text. Blanks and lines at both ends belong to it.",
    {'errors="replace")': 'errors="replace").strip()'},
)
MERGES_OF_BYTES_ONLY = Mistake(
    "decode takes both halves of a merge for bytes. A half can be a merge, too.",
    {"token.append(token[left] + token[right])": "token.append(bytes([left % 256, right % 256]))"},
)
DECODED_FROM_257 = Mistake(
    "decode leaves an id free between the bytes and the merges. The first merge is 256.",
    {
        "for byte in range(256)]": 'for byte in range(256)] + [b""]',
        "token[left] + token[right]": "token[left + (left > 255)] + token[right + (right > 255)]",
    },
)
IDS_AS_CHARACTERS = Mistake(
    "decode takes ids below 256 for characters. They are bytes: only ASCII characters have one byte.",
    {"bytes([byte]) for byte": "chr(byte).encode() for byte"},
)
BYTES_RETURNED = Mistake(
    "decode returns bytes. A text is a str.",
    {'.decode("utf-8", errors="replace")': ""},
)

# The arguments, and texts that look alike

MERGES_CONSUMED = Mistake(
    "encode takes the merges out of the caller's list. The next call has no merges left.",
    {
        "    tokens: list[int] = []\n": (
            "    tokens: list[int] = []\n    known = len(merges)\n    merges.clear()\n"
        ),
        "rank.get(pair, len(merges))": "rank.get(pair, known)",
    },
)
IDS_CONSUMED = Mistake(
    "decode takes the ids out of the caller's list. It should read them only.",
    {
        'return b"".join(token[id] for id in ids)': (
            'return b"".join(token[ids.pop(0)] for _ in list(ids))'
        )
    },
)
DIGITS_REPLACED = Mistake(
    "merged replaces the digits of the ids in a text. The pair 97, 98 is then found in 197, 98, too.",
    {
        OUT: """\
    line = " ".join(map(str, ids)).replace(f"{pair[0]} {pair[1]}", str(new))
    return [int(number) for number in line.split()]
"""
    },
)
LINES_FIRST = Mistake(
    "encode cuts the text into lines first. A piece may have several line ends.",
    {
        "    for piece in PIECE.findall(text):\n": (
            "    lines = text.splitlines(keepends=True)\n"
            "    for piece in [piece for line in lines for piece in PIECE.findall(line)]:\n"
        )
    },
)
LEARNED_IN_NFC = Mistake(
    "learn turns a letter and its accent into one character first. It should take the text as it is.",
    {
        "Counter(PIECE.findall(text))": (
            'Counter(PIECE.findall(__import__("unicodedata").normalize("NFC", text)))'
        )
    },
)
MARK_LOST = Mistake(
    "decode leaves out a byte order mark at the beginning. It is a character as any other.",
    {'.decode("utf-8", errors="replace")': '.decode("utf-8-sig", errors="replace")'},
)
MERGED_IN_PLACE = Mistake(
    "`merged` changes the list of its caller. Make a new list and return it.",
    {
        OUT: """\
    at = 0
    while at < len(ids) - 1:
        if (ids[at], ids[at + 1]) == pair:
            ids[at : at + 2] = [new]
        at += 1
    return ids
"""
    },
)
SAME_LIST_BACK = Mistake(
    "If there is nothing to merge, `merged` returns the list of its caller, not a new one. A change "
    "of one is then a change of both.",
    {OUT: f"    if pair not in pairwise(ids):\n        return ids\n{OUT}"},
)
SAME_IDS_AGAIN = Mistake(
    "encode keeps its lists, and returns the same one for the same text. What is appended to it is in "
    "the next answer, too.",
    {
        "def encode(text: str, merges: list[Pair]) -> list[int]:": """\
def encode(text, merges):
    return remembered(text, tuple(merges))


@lru_cache
def remembered(text: str, merges: list[Pair]) -> list[int]:""",
        "import re\n": "import re\nfrom functools import lru_cache\n",
    },
)

BLANKS_LEFT_OUT = Mistake(
    "Pieces of white space are not counted. All pieces are, and blanks may be merged, too.",
    {
        "Counter(PIECE.findall(text)).items()]": "Counter(PIECE.findall(text)).items() if not piece.isspace()]"
    },
)

LAST_PAIR_LEFT = Mistake(
    "Learning ends when one pair is left. That pair can be merged, too.",
    {"        if not counts:": "        if len(counts) < 2:"},
)

LINE_ENDS_MADE_EQUAL = Mistake(
    "The line ends of Windows are changed before the text is cut. encode keeps every character.",
    {
        "    for piece in PIECE.findall(text):": '    for piece in PIECE.findall(text.replace("\\r\\n", "\\n")):'
    },
)
ONCE_PER_PIECE_IN_A_SET = Mistake(
    ONCE_PER_PIECE.says,
    {"for pair in pairwise(ids):": "for pair in set(pairwise(ids)):"},
)
ENCODED_CHARACTERS_CUT = Mistake(
    ENCODED_CHARACTERS.says,
    {"ids = list(piece.encode())": "ids = [ord(sign) % 256 for sign in piece]"},
)
