"""The passages of a page that bear on what was searched, within so many tokens. Ours: papers keep the beginning.

A long page rarely answers at its top. Passages are its paragraphs; those with rare words of the query come first, then
the others in their order, so that the beginning stays where there is room. They are given in the order of the page.
"""

from __future__ import annotations

import math
from collections import Counter

from backtrail.language.sentences import split_sentences
from backtrail.language.shorten import LEFT_OUT
from backtrail.language.terms import content_terms
from backtrail.tools.web.tokens import first_tokens, token_count

_LONGEST = 1_000
"""Characters of a passage; longer paragraphs are cut between sentences, so that no good one is too long as a whole."""
_OF_THE_ROOM = 2
"""Characters of a passage for each token of the room: about half of what fits."""


def best_passages(text: str, query: str, most: int) -> str:
    """The text where it fits, else its best passages with a mark where something was left out. Blocks.

    Args:
        most: tokens, as ``first_tokens`` counts them.

    Raises:
        EmbedderWeightsMissing: the package with the vocabulary is not installed.
    """
    if token_count(text) <= most:
        return text
    passages = _passages(text, min(_LONGEST, _OF_THE_ROOM * most))
    kept: set[int] = set()
    room = most
    for place in _ranked(passages, query):
        # The mark of a gap is counted with each passage: it may stand before any of them.
        length = token_count(f"{LEFT_OUT}\n{passages[place]}")
        if length <= room:
            kept.add(place)
            room -= length
    if not kept:
        return first_tokens(passages[_ranked(passages, query)[0]], most)
    return _joined(passages, kept)


def _passages(text: str, longest: int) -> list[str]:
    found: list[str] = []
    for paragraph in filter(None, (line.strip() for line in text.split("\n"))):
        if len(paragraph) <= longest:
            found.append(paragraph)
            continue
        held = ""
        for sentence in split_sentences(paragraph):
            if held and len(held) + len(sentence) >= longest:
                found.append(held)
                held = ""
            held = f"{held} {sentence.strip()}".strip()
        found.append(held)
    return found


def _ranked(passages: list[str], query: str) -> list[int]:
    asked = content_terms(query)
    shared = [content_terms(passage) & asked for passage in passages]
    having = Counter(term for terms in shared for term in terms)
    worth = [sum(math.log(1 + len(passages) / having[term]) for term in terms) for terms in shared]
    return sorted(range(len(passages)), key=lambda place: (-worth[place], place))


def _joined(passages: list[str], kept: set[int]) -> str:
    parts: list[str] = []
    for place, passage in enumerate(passages):
        if place in kept:
            parts.append(passage)
        elif not parts or parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    return "\n".join(parts[:-1] if parts[-1] == LEFT_OUT else parts)
