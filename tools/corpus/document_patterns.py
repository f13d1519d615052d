"""Match documents by patterns in which ``*`` matches any text: ``guide/*``, ``*/changelog``."""

from __future__ import annotations

ANY = "*"


def is_pattern(text: str) -> bool:
    """Return whether a text names documents by a pattern."""
    return ANY in text


def matches(pattern: str, text: str) -> bool:
    """Return whether the whole text fits the pattern, ignoring case. Linear in the text: no backtracking."""
    first, *others = pattern.casefold().split(ANY)
    text = text.casefold()
    if not others:
        return text == first
    if not text.startswith(first):
        return False
    position = len(first)
    for part in others[:-1]:
        found = text.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return len(text) - position >= len(others[-1]) and text.endswith(others[-1])
