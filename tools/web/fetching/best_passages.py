"""Passages of a page that match the query, within a number of tokens. Ours: papers keep the beginning.

A long page rarely answers at its top. Passages are its paragraphs; those with rare words of the query are chosen first,
then the others from the beginning. They are returned in the order of the page.
"""

from __future__ import annotations

import math
from collections import Counter

from backtrail.language.sentences import split_sentences
from backtrail.language.shorten import LEFT_OUT
from backtrail.language.terms import content_terms
from backtrail.tools.web.tokens import first_tokens, token_count

_LONGEST = 1_000
"""Characters of a passage; longer paragraphs are cut between sentences, so that a good one fits in part."""
_OF_THE_ROOM = 2
"""Maximum characters of a passage per token of the limit: about half of what fits."""


def best_passages(text: str, query: str, most: int) -> str:
    """Return the text if it fits, else its best passages with marks for gaps. Blocking.

    Args:
        most: maximum of tokens, as in ``first_tokens``.

    Raises:
        EmbedderWeightsMissing: the package with the vocabulary is not installed.
    """
    if token_count(text) <= most:
        return text
    passages = _passages(text, min(_LONGEST, _OF_THE_ROOM * most))
    kept: set[int] = set()
    room = most
    for place in _ranked(passages, query):
        # Count the mark of a gap with each passage, as it may precede any of them.
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
        passage = ""
        for sentence in split_sentences(paragraph):
            if passage and len(passage) + len(sentence) >= longest:
                found.append(passage)
                passage = ""
            passage = f"{passage} {sentence.strip()}".strip()
        found.append(passage)
    return found


def _ranked(passages: list[str], query: str) -> list[int]:
    wanted = content_terms(query)
    shared = [content_terms(passage) & wanted for passage in passages]
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
