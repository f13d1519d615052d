"""Label lines: what stands behind a label in running text: "Advisor: Prof. Roe", "Product Code: 626666".

Forms, sheets and lists of facts that no table holds are written so. A label is asked for where the question says all
its words, and these are two or more, or the noun that is asked. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.labels import family

# A longer value is a paragraph that has a heading of its own.
VALUE_CHARACTERS = 120
_LABEL = re.compile(r"(?:^|(?<=\s))(?P<label>[A-Z][\w()/&'’-]{0,40}(?: [\w()/&'’-]{1,40}){0,4}?)\s?::?\s(?=\s*\S)")
_STOP = re.compile(r"[.;](?=\s+[A-Z]|\s*$)|$")
# Before these a value goes on: "Dr. Roe", "No. 5".
_ABBREVIATED = re.compile(r"\b(?:Prof|Dr|Mr|Mrs|Ms|St|No|Jr|Sr|Inc|Co|Ltd|[A-Z])$")
_TWO = 2


def label_values(text: str, shape: QuestionShape) -> Iterator[tuple[int, int]]:
    """Where the values stand of the labels that a question asks for, as places in the text."""
    found = list(_LABEL.finditer(text))
    for match, after in zip(found, [*found, None][1:], strict=True):
        end = after.start() if after else len(text)
        start = match.end() + len(text[match.end() : end]) - len(text[match.end() : end].lstrip())
        end = _closed(text, start, end)
        if start < end and _is_asked(match["label"].split(), shape):
            yield start, end


def _closed(text: str, start: int, end: int) -> int:
    """Where a value ends: with its sentence, or before the next label; nowhere where that is too far."""
    end = min(end, start + 2 * VALUE_CHARACTERS)
    stops = (at.start() for at in _STOP.finditer(text, start, end))
    stop = next((at for at in stops if not _ABBREVIATED.search(text[max(start, at - 5) : at])), end)
    value = text[start:stop].rstrip(" ,;.-–—•|")
    return start + len(value) if len(value) <= VALUE_CHARACTERS else start


def _is_asked(words: list[str], shape: QuestionShape) -> bool:
    """Whether a question says all words of a label, or all from one with a capital on."""
    for first in (place for place, word in enumerate(words) if word[:1].isupper()):
        terms = content_terms(" ".join(words[first:]))
        if terms and all(family(term) & shape.focus for term in terms):
            return len(terms) >= _TWO or bool(terms & shape.heads)
    return False
