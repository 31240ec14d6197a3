"""Shown to learners of s6_today/byte_pairs.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example

HINTS = [
    "The text is 'banana': b a n a n a. Which pairs of neighbours are there, how often does each "
    "stand there, and which one is met first?",
    "merged: a while loop with a place `at` that moves on by two ids after a pair, and by one id "
    "otherwise. ids[at : at + 2] is the pair that begins there, as a list.",
    "learn: PIECE.findall(text) gives all pieces in order. A Counter of them has each piece once, "
    "with its count. piece.encode() gives the bytes, and list makes ids of them.",
    "learn, the counts: pairwise gives all neighbours of a piece. Add the count of the piece, for "
    "each time that the pair stands in it. Count again after every merge.",
    "learn, the choice: max(counts, key=counts.get) takes the first of the best, because a "
    "dictionary keeps its order.",
    "encode: of the pairs in a piece, min with the rank as key finds the one that was learned "
    "first. rank.get(pair, …) gives unknown pairs a rank behind all others.",
    "decode: begin with bytes([n]) for n below 256. Each merge appends the bytes of its left token "
    "plus those of its right one. b''.join puts bytes together.",
    "ids = merged(ids, first, 256 + ____)",
]
EXAMPLE = Example(
    {},
    """\
merges = learn("ab ab abc", 3)
ids = encode("abc ab", merges)
text = decode(ids, merges)
""",
)
