"""Shorten a text to the sentences relevant to a question, with a mark for omitted sentences."""

from __future__ import annotations

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms

LEFT_OUT = "[…]"


def shortened(text: str, about: str, characters: int) -> str:
    """Return the most relevant sentences in their order; the text itself if it fits.

    ``[…]`` marks omissions, and the end states the full length.
    """
    if len(text) <= characters:
        return text
    note = f" {LEFT_OUT} ({len(text)} characters in all)"
    room = max(characters - len(note), 0)
    pieces = split_sentences(text)
    asked = content_terms(about)
    shared = {place: len(content_terms(piece) & asked) for place, piece in enumerate(pieces)}
    kept: set[int] = set()
    for place in sorted(shared, key=lambda at: (-shared[at], at)):
        length = len(pieces[place]) + len(LEFT_OUT) + 2
        if length <= room:
            kept.add(place)
            room -= length
    if not kept:  # even the best sentence is too long
        best = pieces[max(shared, key=lambda at: (shared[at], -at))] if pieces else text
        return best[:room].rsplit(" ", 1)[0] + note
    parts: list[str] = []
    for place, piece in enumerate(pieces):
        if place in kept:
            parts.append(piece.strip())
        elif not parts or parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    if parts[-1] == LEFT_OUT:
        parts.pop()
    return " ".join(parts) + note
