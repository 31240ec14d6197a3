"""Lessons, README, docs and code speak plainly: short sentences, no words that stop a reader."""

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from pages import DOCS, LESSONS

from checks.contents import COURSE

PLAIN = [*LESSONS, "README.md", *DOCS]

LONGEST = 25  # Words in a sentence; a formula or a piece of code counts as one.

# What these pages do not say, and what they say instead.
AVOIDED = {
    r"mend(s|ed|ing)?": "fix",
    r"whence": "where … from",
    r"forth": "back",
    r"whatever|whoever": "a plain noun",
    r"(is|are) none": "a plain noun: there is no …",
    r"our solutions?|ours": "the solution, this course",
    r"nor (is|are|was|does|do|did|has|have|can|will|may)": "it does not … either",
    r"(told|tells?|telling) (\w+ ){0,3}apart": "sees the difference between",
    r"(is|are|was) told": "learns, receives",
    r"numbers of a vector": "entries, features",
    r"(a|one) number a (vector|token)": "one number per vector",
    r"times a (line|row)": "three times per line",
    r"a layer each|a sublayer at a time|norms a layer": "per layer",
    r"a share|the share": "each entry with probability …",
    r"(?<!square )roots?(?! mean square)": "square root",
    r"spread (of|by) 1|their spread|its spread": "standard deviation",
    r"in the eyes of": "for",
    r"added are|divided are|hidden are": "the subject first",
    r"(a )?matter of chance": "sometimes one, sometimes the other",
    r"heap|joint|machine": "the term",
    r"(is|are) looked at|may be looked at|looks? (evenly|more) at": "attend",
    r"(tokens?|query|queries|head|heads|layer) looks? at": "attends to",
    r"brings? to it|what (it|both) brings?": "adds, its output",
    r"as good as (blind|none)": "almost",
    r"anew": "again",
    r"in the way": "blocked by",
    r"wants? to know": "takes as arguments",
}

# What code may say: it has folders with a root, machines, tables that are joint, and plain None.
OF_CODE = ("roots?", "machine", "joint", "(is|are) none")
CODE = sorted(
    path
    for folder in ("checks", "solutions", "benchmarks")
    for path in (COURSE / folder).rglob("*.py")
)

_NOT_PROSE = re.compile(
    r"<!--.*?-->|^```.*?^```$|^\|.*?$|^#.*?$|</?(?:details|summary)>", re.DOTALL | re.MULTILINE
)
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=(?:- |\d+\. ))")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*]*\s+")
_FORMULA = re.compile(r"\S+(?: [=+·/*<≤-] \S+)+")


def paragraphs(markdown: str) -> Iterator[str]:
    """The prose, a paragraph or a point of a list at a time; each piece of code as one word."""
    for paragraph in _PARAGRAPH.split(_NOT_PROSE.sub("\n\n", markdown)):
        text = re.sub(r"^(- |\d+\. )", "", paragraph.strip())
        text = re.sub(r"`[^`]+`", "code", text)
        text = re.sub(r"\]\([^)]*\)", "]", text)
        if text:
            yield " ".join(text.split())


def sentences(markdown: str) -> list[str]:
    return [
        sentence
        for paragraph in paragraphs(markdown)
        for sentence in _SENTENCE_END.split(paragraph)
    ]


def length(sentence: str) -> int:
    """How many words; a formula counts as one, signs count as none."""
    return len(re.findall(r"\S*\w\S*", _FORMULA.sub("formula", sentence)))


def avoided(markdown: str) -> list[str]:
    """Each avoided word that appears, with what to say and the paragraph."""
    return [
        f"{found[0]!r}, say {better!r}: {paragraph}"
        for paragraph in paragraphs(markdown)
        for word, better in AVOIDED.items()
        if (found := re.search(rf"\b(?:{word})\b", paragraph, re.IGNORECASE))
    ]


@pytest.mark.parametrize("path", PLAIN)
def test_no_sentence_is_too_long(path: str) -> None:
    text = (COURSE / path).read_text(encoding="utf-8")

    long = [f"{path}: {length(s)} words: {s}" for s in sentences(text) if length(s) > LONGEST]
    assert not long, "\n".join([f"A sentence has at most {LONGEST} words.", *long])


@pytest.mark.parametrize("path", PLAIN)
def test_no_avoided_word_appears(path: str) -> None:
    text = (COURSE / path).read_text(encoding="utf-8")

    assert not avoided(text), "\n".join([path, *avoided(text)])


def of_code(path: Path) -> Iterator[tuple[str, str]]:
    """What a file of Python says in words: ("docstring" or "comment" or "text", what it says)."""
    source = path.read_text("utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    tree = list(ast.walk(ast.parse(source)))
    first = [n.body[0].value for n in tree if isinstance(n, documented) and ast.get_docstring(n)]
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node in first:
                yield "docstring", inspect.cleandoc(node.value)
            elif " " in node.value and "\n    " not in node.value and "self." not in node.value:
                yield "text", node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield "comment", token.string.lstrip("# ")


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.relative_to(COURSE).as_posix())
def test_code_speaks_plainly(path: Path) -> None:
    """Its docstrings, comments and texts, as far as they are prose."""
    found = []
    for kind, text in of_code(path):
        prose = re.sub(r"^( {4}|\w+\.(json|py|pt)).*$", "", text, flags=re.MULTILINE)
        found += [line for line in avoided(prose) if not _is_of_code(line)]
        if kind == "docstring":
            found += [s for s in sentences(prose) if length(s) > LONGEST and '{"' not in s]
    assert not found, "\n".join([str(path), *found])


@pytest.mark.parametrize(
    "path",
    [
        p
        for p in CODE
        if p.name == "checks.py" or p.parent.name in ("asking", "expecting", "judging")
    ],
    ids=lambda path: path.relative_to(COURSE).as_posix(),
)
def test_no_line_of_a_message_ends_within_a_sentence(path: Path) -> None:
    """The screen wraps paragraphs: a break inside one leaves a short line."""
    said = [text for kind, text in of_code(path) if kind == "text"]
    assert [text for text in said if re.search(r"[a-z,]\n[a-zA-Z]", text)] == []


def _is_of_code(line: str) -> bool:
    return any(re.match(rf"'({word})'", line, re.IGNORECASE) for word in OF_CODE)


def test_sentences_are_cut_and_counted() -> None:
    markdown = (
        "## A heading. It is not counted.\n\nOne of `a b c` is 1.5. **Why?** (It\nends here.) So.\n"
        "- A point\n- another: x = 2 · 3 + y\n\n| a | table. |\n```text\na. block.\n```\n"
    )

    assert [(s, length(s)) for s in sentences(markdown)] == [
        ("One of code is 1.5.", 5),
        ("**Why?", 1),
        ("(It ends here.", 3),
        ("So.", 1),
        ("A point", 2),
        ("another: x = 2 · 3 + y", 2),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mend it.",
        "the root of\n6",
        "It is\nnone of these.",
        "Tokens look at tokens.",
        "this is ours",
    ],
)
def test_avoided_words_are_found(text: str) -> None:
    assert len(avoided(text)) == 1


@pytest.mark.parametrize(
    "text", ["Amend it.", "the square\nroot of 6", "`mend(root)`", "It holds."]
)
def test_other_words_are_left_alone(text: str) -> None:
    assert avoided(text) == []
