"""Shorten a text to what bears on a question, with a mark where sentences were left out."""

from __future__ import annotations

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms

LEFT_OUT = "[…]"


def shortened(text: str, about: str, characters: int) -> str:
    """The sentences that share most with what it is about, in their order; the text itself where it fits.

    Whatever is left out is marked by ``[…]``, and the end tells how long the whole is.
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
    if not kept:  # the best sentence alone is too long
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
