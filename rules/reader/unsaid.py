"""Comparing words and numbers of a question that the sources of its answer do not contain.

Rules compare, order and add up nothing. "The tallest", "after 1993" and "in total" are answered only by a source that
says so itself, and a figure for 1995 does not answer a question about 1994.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.questions import QuestionShape, asking_sentence
from backtrail.language.stems import stem
from backtrail.rules.reader.asked.word_pairs import pairs
from backtrail.rules.reader.clues import Told, clues, is_name, names_of
from backtrail.rules.reader.labels import is_labelled
from backtrail.rules.reader.lookup.marks import marked
from backtrail.rules.reader.lookup.meanings import FAMILY, means
from backtrail.rules.reader.support import heading
from backtrail.state.answer_decisions import CitedPiece, EvidenceText

_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def unsaid(
    shape: QuestionShape, answer: str, cited: Sequence[CitedPiece], evidence: Sequence[EvidenceText]
) -> dict[str, float]:
    """Signals ``unsaid_comparison`` and ``unsaid_number``: 1 where the sources lack one, left out otherwise."""
    by_id = {item.id: item for item in evidence}
    sources = [_Source(by_id[one.component], one, answer) for one in cited if one.component in by_id]
    if not sources:
        return {}
    missing = {
        "unsaid_comparison": not _contain_comparison(shape, sources, evidence),
        "unsaid_number": not _contain_numbers(shape, " ".join(source.around for source in sources)),
    }
    return {name: 1.0 for name, is_missing in missing.items() if is_missing}


class _Source:
    """A cited row or sentence; the whole component where neither is cited."""

    def __init__(self, item: EvidenceText, cited: CitedPiece, answer: str) -> None:
        self.item = item
        rows = item.rows if cited.row is None else item.rows[cited.row : cited.row + 1]
        self.cells = [" ".join(cell.split()) for row in rows for cell in row]
        own = [title for title, cell in zip(item.header, self.cells, strict=False) if cell == answer]
        self.header = own if own and cited.row is not None else item.header
        self.sentences = item.sentences if cited.sentence is None else [item.sentences[cited.sentence]]

    @property
    def around(self) -> str:
        """What qualifies a number: the row and its headings; all of a text, and all of a list of labels."""
        cells = [cell for row in self.item.rows for cell in row] if is_labelled(self.item) else self.cells
        return " ".join([heading(self.item.title, self.item.section, *self.header), *cells, *self.item.sentences])

    @property
    def text(self) -> str:
        """The sentence with its headings; of a table the column names alone."""
        if self.item.rows:
            return " ".join(self.header)
        return " ".join([heading(self.item.title, self.item.section), *self.sentences])

    @property
    def names(self) -> list[str]:
        """Names of what it is about: those of its page and of its row."""
        return [*names_of(self.item.title), *filter(is_name, self.cells)]


def _contain_comparison(shape: QuestionShape, sources: Sequence[_Source], evidence: Sequence[EvidenceText]) -> bool:
    """Whether a sentence or column name contains each comparing word, or a cell does, next to the question's noun.

    Another text that names what the source is about may contain it too, next to that noun: "the first craft".
    """
    if not shape.comparing:
        return True
    words = {stem(word) for source in sources for word in _WORD.findall(source.text.casefold())}
    lacking = {term for term in map(stem, shape.comparing) if not any(means(term, one) >= FAMILY for one in words)}
    if not lacking:
        return True
    asked = {pair for pair in pairs(shape.text) if lacking & set(pair)}
    naming = Told(clues(list(evidence))).naming(name for source in sources for name in source.names)
    texts = [*(cell for source in sources for cell in source.cells), *(one.text for one in naming if one.row is None)]
    return lacking <= {term for text in texts for pair in asked & pairs(text) for term in pair}


def _contain_numbers(shape: QuestionShape, source: str) -> bool:
    asked = asking_sentence(shape.text).replace(",", "")
    lacking = set(_DIGITS.findall(asked)) - set(_DIGITS.findall(source.replace(",", "")))
    written = {term for word in source.split() for term in marked(word)} if lacking else set[str]()
    return all(marked(number) <= written for number in lacking)  # 1k for 1000
