"""Look up a label in a label-value table of the entity that the question describes.

The label has to match the main clause ("launched", "which rocket" – "Launch vehicle"), the entry has to
be of the kind asked for, and the evidence about the table's subject has to cover the rest of the question: on its
page, or in another piece that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backtrail.language.label_value_tables import holds_labels, subject_of
from backtrail.language.numbered_names import names_another
from backtrail.language.questions import QuestionShape
from backtrail.language.spans import fit, spans
from backtrail.language.terms import content_terms, stem, words
from backtrail.language.vocabulary import KIN, LABEL_KIN, AnswerKind
from backtrail.rules.reader.clues import Clue, Clues, names_of, says_of_another
from backtrail.rules.reader.support import covered, pieces, rarities
from backtrail.rules.reader.units import may_measure, measures_asked
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

# At least this share of the label's words must match the question …
LEAST_LABEL = 0.6
# … and evidence about the table's subject must cover this share of the rest of the question.
LEAST_SUPPORT = 0.3
# Match of a label of which only the noun occurs in the question.
NOUN_NAMED = 0.9
# An entry with more dates is a list of dates.
MOST_TIMES = 40
_TIMES: tuple[AnswerKind, ...] = ("date", "year")


@dataclass(frozen=True)
class Entry:
    """An entry with a matching label, as an answer."""

    text: str
    item: EvidenceText
    row: int
    label_match: float
    support: float
    unmatched_terms: frozenset[str]
    clue: Clue | None
    subject: str

    @property
    def fit(self) -> float:
        """Confidence of the match, in [0, 1]."""
        return round(self.label_match * self.support, 9)


def is_labelled(item: EvidenceText) -> bool:
    """Whether the first column of a table has labels."""
    return holds_labels(item.header)


@dataclass(frozen=True)
class Labelled:
    """An entry with its confidence in [0, 1], and its lead in [0, 1] over the best different entry.

    ``off_topic``: in the sentence that names the entry's subject, the question's words are about something else.
    """

    text: str
    citations: list[CitedPiece]
    support: float
    margin: float
    off_topic: bool


def labelled(inputs: AnswerInputs, shape: QuestionShape) -> Labelled | None:
    """Return the entry that the question asks for, if a table in the evidence has it for the right thing."""
    tables = [item for item in inputs.evidence if item.rows and is_labelled(item)]
    if not tables:
        return None
    rarity = rarities(pieces(inputs.evidence))
    clues = Clues(inputs.evidence)
    found = [entry for item in tables for entry in _entries(item, shape, clues, rarity)]
    best = max(found, key=lambda entry: (entry.fit, entry.item.score), default=None)
    if best is None or best.support < LEAST_SUPPORT:
        return None
    other = max((entry.fit for entry in found if entry.text.casefold() != best.text.casefold()), default=0.0)
    citations = [CitedPiece(component=best.item.id, row=best.row)]
    if best.clue and best.clue.item.id != best.item.id:
        citations.append(CitedPiece(component=best.clue.item.id, row=best.clue.row))
    apart = best.clue is not None and says_of_another(best.clue, names_of(best.subject), best.unmatched_terms, rarity)
    return Labelled(best.text, citations, best.fit, (best.fit - other) / best.fit, apart)


def _entries(item: EvidenceText, shape: QuestionShape, clues: Clues, rarity: Mapping[str, float]) -> Iterator[Entry]:
    asked = measures_asked(shape)
    for index, row in enumerate(item.rows):
        named, said = _named(row[0] if row else "", shape)
        if named < LEAST_LABEL:
            continue
        for column, cell in enumerate(row[1:], start=1):
            text = entry_text(cell, shape)
            if text and may_measure(cell, asked, row[0]):
                rest = shape.terms - said
                subject = subject_of(item.header, column, item.title)
                support, clue = _support(item, subject, shape.text, rest, clues, rarity)
                yield Entry(text, item, index, named, support, rest, clue, subject)


def _named(label: str, shape: QuestionShape) -> tuple[float, frozenset[str]]:
    """Share of the label's words that match the main clause, and the matching words.

    A label whose noun matches ("which rocket" – "Launch vehicle") counts as a match whatever else it contains.
    """
    said = {term: family(term) & shape.focus for term in content_terms(label)}
    if not said:
        return 0.0, frozenset()
    nouns = words(label.split(" of ")[0])[-1:]
    headed = any(family(stem(noun)) & shape.heads for noun in nouns)
    share = sum(map(bool, said.values())) / len(said)
    return max(share, NOUN_NAMED * headed), frozenset[str]().union(*said.values())


def family(term: str) -> frozenset[str]:
    """Return the words of questions for this word of a label."""
    return LABEL_KIN.get(term, frozenset()) | KIN.get(term, frozenset()) | {term}


def _support(
    item: EvidenceText, subject: str, asked: str, rest: frozenset[str], clues: Clues, rarity: Mapping[str, float]
) -> tuple[float, Clue | None]:
    """Coverage of the rest of the question by evidence about the column's subject."""
    if names_another(subject, asked):
        return 0.0, None
    over = content_terms(f"{subject} {item.section}")
    if not rest:
        return 1.0, None
    clue = clues.best(names_of(subject), rest, rarity)
    present = over | clue.terms if clue else over
    return covered(rest, present, rarity), clue


def entry_text(cell: str, shape: QuestionShape) -> str:
    """Return the answer within an entry: the date or number asked for, otherwise the entry without dates."""
    cell = " ".join(cell.split())
    found = spans(cell, phrases=False)
    times = [span for span in found if span.kind in _TIMES]
    if shape.kind in _TIMES:
        fitting = [span for span in times if fit(shape.kind, span.kind) > 0]
        best = max(fitting, key=lambda span: (fit(shape.kind, span.kind), len(span.text)), default=None)
        return best.text if best else ""
    if shape.kind == "number":
        return cell if any(span.kind == "number" for span in found) else ""
    if times:
        for text in sorted({span.text for span in times}, key=lambda text: (-len(text), text))[:MOST_TIMES]:
            cell = cell.replace(text, "")
        return cell.strip(" ,;()–-") if re.search(r"[^\W\d]", cell) else ""
    heads = [span.text for span in found if span.kind == "name" and content_terms(span.text) & shape.heads]
    return min(heads, key=len, default=cell)
