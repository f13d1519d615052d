"""Split the evidence into pieces (sentences and rows), each with its supporting context.

A sentence is read with the title of its page and the row whose link led there; a row with
its table's title and header and with the pages its cells lead to. That union should cover a question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import KIN
from backtrail.state.answer_decisions import EvidenceText

# A word of the same family ("founded" for "established") counts less than the word itself.
KIN_WEIGHT = 0.7
# Seven times the longest title, section and header of 789 tables of Wikipedia.
HEADING_CHARACTERS = 2000


@dataclass(frozen=True)
class Piece:
    """One sentence or row, with its own terms and those of its context."""

    evidence: EvidenceText
    text: str
    row: int | None
    sentence: int | None
    own: frozenset[str]  # the piece itself
    titled: frozenset[str]  # and the title, section or header above it
    page: frozenset[str]  # and the rest of its page; for a row, the pages that it leads to
    chain: frozenset[str]  # and the row that led to its page

    @property
    def key(self) -> tuple[str, int | None, int | None]:
        """Key of component, row and sentence."""
        return self.evidence.id, self.row, self.sentence

    @property
    def nearness(self) -> float:
        """Similarity of the question by the embedder; 0 if not measured."""
        place = self.row if self.row is not None else self.sentence or 0
        measured = self.evidence.nearness
        return max(0.0, measured[place]) if place < len(measured) else 0.0


def heading(*parts: str) -> str:
    """Return a piece's title, section and header, bounded because every row repeats them."""
    return " ".join(parts)[:HEADING_CHARACTERS]


def pieces(evidence: list[EvidenceText]) -> list[Piece]:
    """Return every sentence and row of the evidence, in order."""
    by_id = {item.id: item for item in evidence}
    children: dict[tuple[str, int | None], frozenset[str]] = {}
    for item in evidence:
        if item.parent is not None:
            key = (item.parent, item.parent_row)
            children[key] = children.get(key, frozenset()) | _text_terms(item)
    found: list[Piece] = []
    for item in evidence:
        found += _rows(item, children) if item.rows else _sentences(item, by_id)
    return found


def _text_terms(item: EvidenceText) -> frozenset[str]:
    return content_terms(" ".join([item.title, item.section, *item.sentences]))


def _rows(item: EvidenceText, children: Mapping[tuple[str, int | None], frozenset[str]]) -> list[Piece]:
    over = content_terms(heading(item.title, item.section, *item.header))
    found: list[Piece] = []
    for index, row in enumerate(item.rows):
        own = content_terms(" ".join(row))
        page = own | over | children.get((item.id, index), frozenset())
        found.append(Piece(item, " | ".join(row), index, None, own, own | over, page, page))
    return found


def _sentences(item: EvidenceText, by_id: Mapping[str, EvidenceText]) -> list[Piece]:
    over = content_terms(heading(item.title, item.section))
    page = over | _text_terms(item)
    chain = page | row_terms(item, by_id)
    sentences: list[tuple[int | None, str]] = [*enumerate(item.sentences)]
    if not sentences:  # an image with only a title
        sentences = [(None, item.title)]
    return [
        Piece(item, text, None, index, own, own | over, page, chain)
        for index, text in sentences
        for own in [content_terms(text)]
    ]


def row_terms(item: EvidenceText, by_id: Mapping[str, EvidenceText]) -> frozenset[str]:
    """Return the terms of the linking row with its headings; of the parent if that is no row."""
    parent = by_id.get(item.parent or "")
    if parent is None or parent.id == item.id:
        return frozenset()
    row = linking_row(item, by_id)
    cells = parent.rows[row] if row is not None else []
    return content_terms(" ".join([heading(parent.title, parent.section, *parent.header), *cells, *parent.sentences]))


def linking_row(item: EvidenceText, by_id: Mapping[str, EvidenceText]) -> int | None:
    """Return the row of the parent table whose link led to this component, if it was offered."""
    parent = by_id.get(item.parent or "")
    row = item.parent_row
    return row if parent is not None and row is not None and 0 <= row < len(parent.rows) else None


def rarities(found: Iterable[Piece]) -> dict[str, float]:
    """Return the inverse document frequency of terms in the evidence, relative to the rarest.

    No other text is available; a term in every row (the table's title) hardly identifies a row. Terms of the question
    that occur nowhere keep the maximum weight 1.
    """
    listed = [piece.titled for piece in found]
    frequency = Counter(term for terms in listed for term in terms)
    rarest = math.log(1.0 + len(listed)) or 1.0
    return {term: math.log(1.0 + len(listed) / count) / rarest for term, count in frequency.items()}


def covered(wanted: Iterable[str], present: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return the rarity-weighted share of wanted terms present, less for related words; 0 without terms."""
    weights = {term: rarity.get(term, 1.0) for term in wanted}
    total = math.fsum(weights.values())  # exact, whatever the iteration order of the sets
    got = math.fsum(weight * _present(term, present) for term, weight in weights.items())
    return got / total if total else 0.0


def _present(term: str, present: frozenset[str]) -> float:
    if term in present:
        return 1.0
    return KIN_WEIGHT if KIN.get(term, frozenset()) & present else 0.0
