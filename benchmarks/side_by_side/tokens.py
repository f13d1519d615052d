"""Tokenizer for all counting and cutting, without a vocabulary to download.

A token is up to six letters or three digits with the space before them, or one other character. English prose has
about as many of them as of OpenAI's tokens. The number of a token encodes its spelling, so the tokenizer is stateless
and thread-safe. Runs in LightRAG's environment too: standard library only.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r" ?[^\W\d_]{1,6}| ?\d{1,3}| ?[^\w\s]|\s|_")


class Pieces:
    """Lossless tokenizer."""

    def encode(self, content: str) -> list[int]:
        """Return the numbers of the tokens, in order."""
        return [int.from_bytes(b"\1" + piece.encode("utf-8", "surrogatepass")) for piece in _PIECE.findall(content)]

    def decode(self, tokens: list[int]) -> str:
        """Return the text of tokens."""
        spelled = (token.to_bytes((token.bit_length() + 7) // 8)[1:] for token in tokens)
        return "".join(piece.decode("utf-8", "surrogatepass") for piece in spelled)


def count(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_PIECE.findall(text))
