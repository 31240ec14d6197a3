"""The tokens of a real model: ids of step 6.7 and ids of the file, and the form of a chat.

Step 6.7 numbers the bytes from 0 to 255, and then the merges. The file has special tokens first,
then those bytes that occur in texts, then the merges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from checks.engine.commands.words import Usage

Pair = tuple[int, int]
UNKNOWN = "�"
BEGIN, END = "<|im_start|>", "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def alphabet() -> dict[str, int]:
    """The sign that a file writes for each byte: itself if it can be seen, else one of its own."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {chr(b): b for b in seen} | {chr(256 + n): b for n, b in enumerate(hidden)}


class Vocabulary:
    """`merges` as step 6.7 learns them; `encode` and `decode` are the learner's functions."""

    def __init__(
        self,
        facts: dict[str, Any],
        encode: Callable[[str, list[Pair]], list[int]],
        decode: Callable[[list[int], list[Pair]], str],
    ):
        self._encode, self._decode = encode, decode
        tokens: list[str] = facts["tokenizer.ggml.tokens"]
        place = {token: n for n, token in enumerate(tokens)}
        ids: dict[str, int] = dict(alphabet())
        self.merges: list[Pair] = []
        for n, merge in enumerate(facts["tokenizer.ggml.merges"]):
            left, right = merge.split(" ")
            self.merges.append((ids[left], ids[right]))
            ids[left + right] = 256 + n
        unknown = facts.get("tokenizer.ggml.unknown_token_id", 0)
        self.to_file = {own: place.get(token, unknown) for token, own in ids.items()}
        self.from_file = {place[token]: own for token, own in ids.items() if token in place}
        self.special = {token: n for token, n in place.items() if n not in self.from_file}
        self.end = int(facts["tokenizer.ggml.eos_token_id"])

    def encode(self, text: str) -> list[int]:
        """The ids of the file for a text. Bytes that are no text become the sign �."""
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return [self.to_file[own] for own in self._encode(text, self.merges)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids of the file. Special tokens have none."""
        own = [self.from_file[id] for id in ids if id in self.from_file]
        return self._decode(own, self.merges)

    def chat(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """The ids of a chat, up to where the answer begins. messages: who speaks, and what."""
        if BEGIN not in self.special or END not in self.special:
            raise Usage("This model has no form of a chat. Use speak with a text.")
        ids: list[int] = []
        for who, text in [("system", SYSTEM), *messages]:
            ids += [self.special[BEGIN], *self.encode(f"{who}\n{text}")]
            ids += [self.special[END], *self.encode("\n")]
        return [*ids, self.special[BEGIN], *self.encode("assistant\n")]


def whole_characters(text: str) -> str:
    """A text without the half character that may stand at its end, while it is being written."""
    return text.rstrip(UNKNOWN) if text.endswith(UNKNOWN) else text
