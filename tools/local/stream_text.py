"""Decode the text of a reply while its tokens arrive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class TokenDecoder:
    """Decodes tokens piece by piece, up to the first stop sequence.

    A token may be a part of a character, and a space may belong to the next word: text is returned once
    later tokens cannot change it, and once it cannot be the beginning of a stop sequence.
    """

    def __init__(self, tokenizer: Any, stop: Sequence[str] = ()) -> None:
        self.text = ""
        self.stopped = False
        self._tokenizer = tokenizer
        self._stop = [one for one in stop if one]
        self._tokens: list[int] = []
        self._start = self._read = 0  # the window that is decoded: the last piece and the new tokens
        self._given = 0

    def hear(self, token: int) -> str:
        """Add a token; return the text that is final now."""
        self._tokens.append(token)
        before = self._decoded(self._start, self._read)
        now = self._decoded(self._start, len(self._tokens))
        if len(now) > len(before) and not now.endswith("\ufffd"):
            self._start, self._read = self._read, len(self._tokens)
            self._add(now[len(before) :])
        return self._give(held_back=self._ambiguous())

    def end(self) -> str:
        """End the reply; return the rest of the text."""
        if not self.stopped:
            before = self._decoded(self._start, self._read)
            self._add(self._decoded(self._start, len(self._tokens))[len(before) :])
            self._start = self._read = len(self._tokens)
        return self._give(held_back=0)

    def _add(self, piece: str) -> None:
        self.text += piece
        places = [at for at in (self.text.find(one) for one in self._stop) if at >= 0]
        if places:
            self.text = self.text[: min(places)]
            self.stopped = True

    def _give(self, held_back: int) -> str:
        ready = len(self.text) - held_back
        piece = self.text[self._given : ready]
        self._given = max(self._given, ready)
        return piece

    def _ambiguous(self) -> int:
        """Return the number of characters at the end that may begin a stop sequence."""
        if self.stopped:
            return 0
        longest = 0
        for one in self._stop:
            for length in range(1, len(one)):
                if self.text.endswith(one[:length]):
                    longest = max(longest, length)
        return longest

    def _decoded(self, start: int, end: int) -> str:
        return str(
            self._tokenizer.decode(
                self._tokens[start:end], skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
        )
