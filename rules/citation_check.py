"""Find numbers, dates and names of an answer that nothing it cites contains (ours).

Only these are compared, since sentences may be worded freely. A sum or difference of two cited numbers counts as cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from backtrail.language.sentences import split_sentences
from backtrail.language.spans import names_in
from backtrail.language.terms import content_terms
from backtrail.language.written_numbers import Value, months_in, numbers_in, values_in

MOST_OPERANDS = 500
FIRST_YEAR = 1000
MOST_NAMED = 10
"""Missing facts that are reported: more are a wrong citation, which ten show as well."""

_NO_FIGURE = re.compile(
    r"^[ \t]*(?:#+\s+|[-*•]\s+|\d{1,3}[.)]\s+)+|\[\d+(?: *[-–,] *\d+)*\]"
    r"|\b(?:pages?|pp?\.|Seiten?|S\.|páginas?) *\d+(?: *(?:[-–,]|and|to) *\d+)*|第 *\d+ *[页頁]",
    re.IGNORECASE | re.MULTILINE,
)
"""List markers, citation numbers and page numbers."""
_START = re.compile(r"[\W_]*")
_NO_LETTER = re.compile(r"[\W_]+")


def not_found(text: str, sources: Sequence[str], pieces: Sequence[str] = ()) -> list[str]:
    """Return the numbers, months and names of a text that no source contains, as written, each once.

    Args:
        sources: all that the answer cites, and the question.
        pieces: the cited rows and sentences, whose numbers may be added or subtracted.
    """
    reference = "\n".join(sources)
    plain = _NO_FIGURE.sub(" ", text)
    missing = dict.fromkeys([*_numbers(plain, values_in(reference), pieces), *_names(plain, reference)])
    return list(missing)[:MOST_NAMED]


def _numbers(text: str, held: frozenset[Value], pieces: Sequence[str]) -> Iterator[str]:
    stated = {one for _, read, _ in numbers_in(text) for one in read & held}
    operands = {one for one in [*stated, *values_in("\n".join(pieces))] if isinstance(one, Decimal)}
    for written, read, parts in numbers_in(text):
        if not (read & held or (parts and held.issuperset(parts)) or _computed(read, operands)):
            yield written
    yield from (name for name, month in months_in(text) if name[0].isupper() and month not in held)


def _computed(read: frozenset[Value], operands: set[Decimal]) -> bool:
    """Whether a number is the sum or difference of two others, or the age of someone born and seen in two years."""
    if len(operands) > MOST_OPERANDS:
        return False
    numbers = [one for one in read if isinstance(one, Decimal) and one]
    ages = [one + 1 for one in numbers if {one + 1 + year for year in operands if year >= FIRST_YEAR} & operands]
    return bool(ages) or any({value - one, value + one} & operands for value in numbers for one in operands)


def _names(text: str, reference: str) -> Iterator[str]:
    terms, letters = content_terms(reference), _letters(reference)
    for sentence in split_sentences(text):
        start = _START.match(sentence)
        opened = sentence[start.end() if start else 0 :]
        for name in names_in(opened):
            cased = name[0].isupper() and not opened.startswith(name)
            if cased and not content_terms(name) <= terms and _letters(name) not in letters:
                yield name


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).casefold()
