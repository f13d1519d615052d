"""Build the parts of offline statements: names and sentences within the decision's limits."""

from __future__ import annotations

import re

from backtrail.language.clauses import tidy
from backtrail.language.terms import words
from backtrail.state.knowledge.chunks import (
    LONGEST_NAME,
    LONGEST_STATEMENT,
    ExtractedTriplet,
)

_ARTICLE = re.compile(r"(?:the|a|an|his|her|its|their)\s+", re.IGNORECASE)
_LONGEST_RELATION = 120
_KEYWORDS = 4


def cut(text: str, limit: int) -> str:
    """Cut a text at a word to fit, with an ellipsis."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1].rpartition(" ")[0] or text[: limit - 1]
    return f"{kept.rstrip(' ,;:')}…"


def as_name(text: str) -> str:
    """Tidy a noun phrase as a name, without its determiner unless that is part of the name."""
    name = tidy(text).strip("\"'“”‘’ ")
    bare = _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) and not name[:1].isupper() else name
    return cut(bare, LONGEST_NAME)


def about(subject: str, sentence: str) -> str:
    """Prefix a sentence with the name of its subject, as for search pieces."""
    return f"{subject}: {sentence}" if subject and sentence else subject or sentence


def statement(
    head: str,
    relation: str,
    tail: str,
    text: str,
    *,
    keywords: str = "",
    weight: float = 1.0,
    row: int | None = None,
) -> ExtractedTriplet | None:
    """A triplet; None when one of its names is empty or both are the same."""
    head, tail, relation = cut(head.strip(), LONGEST_NAME), cut(tail.strip(), LONGEST_NAME), relation.strip()
    if not _is_name(head) or not _is_name(tail) or not relation or head.casefold() == tail.casefold():
        return None
    return ExtractedTriplet(
        head=head,
        relation=cut(relation, _LONGEST_RELATION),
        tail=tail,
        text=cut(text.strip(), LONGEST_STATEMENT),
        keywords=keywords_of(keywords),
        weight=weight,
        row=row,
    )


def keywords_of(text: str) -> list[str]:
    """Return the first four distinct words of a text, without function words."""
    return list(dict.fromkeys(words(text)))[:_KEYWORDS]


def _is_name(text: str) -> bool:
    return any(character.isalnum() for character in text)
