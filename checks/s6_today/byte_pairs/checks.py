"""Checks for s6_today/byte_pairs.py."""

from checks.engine.language import (
    Function,
    Submission,
    check,
    expect_text,
    expect_unchanged,
    expect_whole_numbers,
    tries,
)
from checks.s6_today.byte_pairs import truth
from checks.s6_today.byte_pairs.truth import Pair

ODD = (
    "",
    " ",
    "aab  aab   b ",
    "  aab\n\n ab\tab\r\n",
    "aaaa aaaaa baaaab",
    "don't we'll AAB'S Aab",
    "aab, aab! (b) ... aa_bb __a",
    "2026 aab12 3b 1",
    "Öl für Ärzte, naïve Œuvre",
    "a\N{GRINNING FACE}\N{GRINNING FACE}b 日本語 e\N{COMBINING ACUTE ACCENT}",
    "e\N{COMBINING ACUTE ACCENT} e\N{COMBINING ACUTE ACCENT}\n\n",
    "\N{ZERO WIDTH NO-BREAK SPACE}a",
    "\x00a\x7f\N{NO-BREAK SPACE}b\N{ZERO WIDTH JOINER}",
)
LONG = 2000  # Letters of a piece.
A, B, C, D = b"abcd"


def merged(submission: Submission) -> Function:
    return submission.function("merged", lambda weights, *args: truth.merged(*args))


def learn(submission: Submission) -> Function:
    return submission.function("learn", lambda weights, *args: truth.learn(*args))


def encode(submission: Submission) -> Function:
    return submission.function("encode", lambda weights, *args: truth.encode(*args))


def decode(submission: Submission) -> Function:
    return submission.function("decode", lambda weights, *args: truth.decode(*args))


def a_word(submission: Submission, letters: str = "abcd", longest: int = 6) -> str:
    length = int(submission.rng.integers(1, longest + 1))
    return "".join(submission.rng.choice(list(letters), length))


def a_text(submission: Submission, count: int = 40, kinds: int = 9, letters: str = "abcd") -> str:
    """So many words of so few kinds, some of them much more frequent than others."""
    words = [a_word(submission, letters) for _ in range(kinds)]
    chances = submission.rng.dirichlet([0.7] * kinds)
    return " ".join(submission.rng.choice(words, count, p=chances))


def expect_merges(submission: Submission, text: str, num_merge: int) -> None:
    """Fail unless learn finds the merges of this text."""
    got = learn(submission)(text, num_merge)
    expect_whole_numbers(got, truth.learn(text, num_merge))


def expect_ids(submission: Submission, text: str, merges: list[Pair]) -> None:
    """Fail unless encode gives the ids of this text."""
    got = encode(submission)(text, merges)
    expect_whole_numbers(got, truth.encode(text, merges))
    expect_unchanged(got)


def expect_decoded(submission: Submission, ids: list[int], merges: list[Pair]) -> None:
    """Fail unless decode gives the text of these ids."""
    got = decode(submission)(ids, merges)
    of_each = [truth.bytes_of(id, merges) for id in ids[:8]]
    expect_text(got, truth.decode(ids, merges), f"The bytes of the first tokens: {of_each}")
    expect_unchanged(got)


@check
def a_pair_becomes_one_id(submission: Submission) -> None:
    """merged puts the new id in place of the pair, wherever it stands, and keeps the others."""
    for length in (14, 14, 2, 1, 0):
        ids = (submission.tokens(3, length) + 300).tolist()
        pair = (300, 301)
        if length:
            ids[-2:] = pair[:length]  # At the end.

        got = merged(submission)(ids, pair, 777)

        expect_whole_numbers(got, truth.merged(ids, pair, 777))
        expect_unchanged(got)
    apart = [197, 98, 97, 981]  # The pair stands in the digits only.
    expect_whole_numbers(merged(submission)(apart, (97, 98), 256), apart)


@check
def equal_neighbours_are_merged_from_the_left(submission: Submission) -> None:
    """Of an odd number of equal ids, merged keeps the last one: an id is in one pair only."""
    for count in (3, 4, 5):
        ids = [9, *[7] * count, 9, 7, 7]

        got = merged(submission)(ids, (7, 7), 500)

        expect_whole_numbers(got, truth.merged(ids, (7, 7), 500))


@check
def the_most_frequent_pair_is_first(submission: Submission) -> None:
    """learn merges the most frequent pair of the text, and counts again after each merge."""
    for num_merge in (1, 5, 12):
        text = a_text(submission)
        expect_merges(submission, f" {text} {text}", num_merge)  # No pair stands there only once.


@check
def every_occurrence_counts(submission: Submission) -> None:
    """A pair counts as often as it stands in the text, also when pairs overlap."""
    for text in ("ab ab ab ab ac ad ac ae", "aaaa b bc bc", "abab ab cdcd cd cd", "aaab aaab aaab"):
        expect_merges(submission, text, 3)


@check
def no_pair_reaches_across_pieces(submission: Submission) -> None:
    """Merges stay inside a piece: a word with its blank, one digit, signs, blanks."""
    for text in (
        "ab cb ab ab cb",
        "12 12 12 12 ab",
        "a b c a b c a b c",
        "ab.ab.ab.ab",
        "ab\ncd\ncd",
    ):
        expect_merges(submission, text, 6)


@check
def of_equals_the_first_is_merged(submission: Submission) -> None:
    """If several pairs are most frequent, the one that is met first in the text is merged."""
    for _ in range(3):
        letters = "".join(submission.rng.permutation(list("abcdefgh")))
        expect_merges(submission, letters, 4)
        expect_merges(submission, " ".join((letters[3:], letters[:5])), 4)


@check
def learning_ends_by_itself(submission: Submission) -> None:
    """If no pair is left, learn ends early. There may be no merges at all."""
    for text, num_merge in (("ab abc", 50), ("aaaaa", 9), ("a b 1 23", 9), ("", 5), ("abc abc", 0)):
        expect_merges(submission, text, num_merge)


@check
def a_text_is_its_bytes(submission: Submission) -> None:
    """learn and encode begin with the bytes of UTF-8: some characters have several of them."""
    for letters in ("äöüß", "a\N{GRINNING FACE}é", "日本語"):
        text = a_text(submission, letters=letters)

        expect_merges(submission, text, 8)
        expect_ids(submission, text, [])
        expect_ids(submission, a_text(submission, letters=letters), truth.learn(text, 8))


@check
def odd_texts_are_learned(submission: Submission) -> None:
    """Blanks, lines, signs, capitals and short forms are learned as they stand in the text."""
    for text in ODD:
        expect_merges(submission, text + text, 7)


@check
def hundreds_of_merges_are_learned(submission: Submission) -> None:
    """There may be hundreds of merges, with ids above 512."""
    text = " ".join(a_word(submission, "abcdefghij") for _ in range(130))
    expect_merges(submission, text, 270)
    few, more = "a " * 6000, "xyz " * 6000  # The end of a long text counts, too.
    expect_merges(submission, few + more, 3)


@check
def encode_merges_as_was_learned(submission: Submission) -> None:
    """encode merges the bytes of each piece as learn did, in a text that may be another one."""
    for num_merge in (3, 12, 40):
        text = a_text(submission)
        merges = truth.learn(text, num_merge)
        expect_ids(submission, text, merges)
        expect_ids(submission, a_text(submission), merges)


@check
def what_was_learned_first_is_merged_first(submission: Submission) -> None:
    """The first learned pair comes first, not the leftmost pair or the longest token."""
    b_c, a_b, abc, c_d = (B, C), (A, B), (A, 256), (C, D)
    for merges in ([b_c, a_b], [b_c, a_b, (257, C)], [a_b, c_d, b_c, (256, C)], [b_c, a_b, abc]):
        for text in ("abc", "abcd abc", "bcabcdab"):
            expect_ids(submission, text, merges)


@check
def a_pair_keeps_its_first_rank(submission: Submission) -> None:
    """If a pair stands in the merges twice, its first place is its rank."""
    a_b, b_c, c_d = (A, B), (B, C), (C, D)
    for merges in ([a_b, c_d, a_b], [b_c, a_b, b_c, (257, C)], [a_b, a_b, a_b, c_d]):
        expect_ids(submission, "abcd ab cdab bcd", merges)


@check
def encode_keeps_pieces_apart(submission: Submission) -> None:
    """encode merges no pair of which one half is in the next piece."""
    across = [*((ord(one), ord(two)) for one, two in ("b ", "  ", "12", "b.", ".a", "b\n")), (A, B)]
    for text in ("ab  ab", "12 ab12", "ab.ab", "ab\nab"):
        expect_ids(submission, text, across)


@check
def blanks_and_signs_are_kept(submission: Submission) -> None:
    """encode keeps every character: blanks, lines, signs and capitals, at both ends, too."""
    merges = truth.learn(" aab aab aab  aab äöü we'll", 30)
    for text in ODD:
        expect_ids(submission, text, [*merges, (10, 10)])


@check
def a_piece_may_be_long(submission: Submission) -> None:
    """encode works for a piece of thousands of letters, and for hundreds of merges."""
    doubled = [(A, A), *((n, n) for n in range(256, 262))]
    expect_ids(submission, "a" * LONG, doubled)

    text = " ".join(a_word(submission, "abcdefghij") for _ in range(130))
    expect_ids(submission, text, truth.learn(text, 270))

    others = [(one, two) for one in range(128, 256) for two in range(128, 168)]
    merges = [*others, (A, B), (256 + len(others), C)]  # Ids above 4096.
    expect_ids(submission, "abcd ab abc", merges)
    expect_decoded(submission, truth.encode("abcd ab abc", merges), merges)


@check
def decode_gives_the_text_back(submission: Submission) -> None:
    """decode gives back the very text that was encoded."""
    merges = truth.learn(" ".join((*ODD, a_text(submission))), 60)
    for text in (*ODD, a_text(submission)):
        expect_decoded(submission, truth.encode(text, merges), merges)


@check
def a_character_may_be_in_two_tokens(submission: Submission) -> None:
    """The bytes of all tokens are joined before they become text. Half a character becomes �."""
    euro = list("€".encode())
    merges = [(euro[0], euro[1]), (C, euro[0])]
    split = ([256, euro[2]], [257, euro[1], euro[2], A], [euro[2], 256])
    for ids in (*split, euro, [A, 256, B], [255]):
        expect_decoded(submission, ids, merges)


@check
def decode_knows_every_token(submission: Submission) -> None:
    """Every id can be decoded: bytes, merges, and merges of merges, in any order."""
    text = a_text(submission)
    for num_merge in (0, 25):
        merges = truth.learn(text, num_merge)
        ids = submission.rng.permutation([*range(32, 127), *range(256, 256 + len(merges))])
        expect_decoded(submission, ids.tolist(), merges)


@check
def every_call_begins_again(submission: Submission) -> None:
    """Nothing is kept from an earlier call: the next one may have other merges."""
    for _ in tries():
        one, other = a_text(submission), a_text(submission)
        first, second = truth.learn(one, 6), truth.learn(other, 6)
        if truth.encode(one, first) != truth.encode(one, second):
            break
    for merges in (first, second, first, []):
        expect_ids(submission, one, merges)
    for text, merges in ((one, first), (other, second), (one, first)):
        expect_merges(submission, text, 6)
        expect_decoded(submission, truth.encode(one, merges), merges)
    for merges in ([(A, B)], [(B, C)]):
        expect_decoded(submission, [256, C], merges)
