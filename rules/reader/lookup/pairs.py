"""Pairs: the entry of a list of labels that a question asks for: "40 participants" beside "Actual Enrollment".

Such lists have no column names, and are about the thing that their page is about: an infobox, the fields of a form.
"""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.rules.reader.lookup.column_meant import may_answer
from backtrail.rules.reader.lookup.marks import marked
from backtrail.rules.reader.lookup.meanings import means
from backtrail.rules.reader.lookup.question import CODE, GENERIC, Question
from backtrail.rules.reader.lookup.table_view import Line, TableView

# A word of the question that does not ask for the answer tells less of its label.
_BESIDE = 0.5
# Of a label what the question has to say, and how much more of it than of any other.
_LEAST_SAID = 0.5
_LEAST_LEAD = 0.3


# A label that stands in the question as it is written, before those of which it says words.
_AS_WRITTEN = 3.0


@dataclass(frozen=True)
class Entry:
    """The entry of a label. ``said``: terms of the question that the label says, as they are and by their family."""

    line: Line
    column: int
    said: frozenset[str]
    score: float


def entry_meant(table: TableView, question: Question) -> Entry | None:
    """The one entry whose label is asked for, if it can answer."""
    scored = sorted(((*_score(line, question), line) for line in table.lines), key=lambda one: (-one[0], one[2].row))
    if not scored or not scored[0][0]:
        return None
    score, said, line = scored[0]
    if len(scored) > 1 and score - scored[1][0] < _LEAST_LEAD:
        return None
    label = min(line.cells)
    entries = {column: cell for column, cell in line.cells.items() if cell != line.cells[label]}
    if len(set(entries.values())) != 1 or not _asks(said, question):
        return None
    column = min(entries)
    whole = all(any(means(term, one) for term in said) for one in marked(line.cells[label]))
    fits = may_answer(entries[column], line.cells[label], question, is_named=whole)
    return Entry(line, column, said, score) if fits else None


def _score(line: Line, question: Question) -> tuple[float, frozenset[str]]:
    first = line.cells[min(line.cells)]
    if first in question.codes and question.asks_meaning:
        return _AS_WRITTEN, frozenset((CODE + first,))
    label = marked(first)
    label = label - (GENERIC - question.clause) or label
    left = question.clause
    worth = {
        term: best * (1.0 if term in question.asked | question.head else _BESIDE)
        for term in sorted(left)
        if (best := max((means(term, one) for one in label), default=0.0))
    }
    named = sum(any(means(term, one) for term in worth) for one in label)
    if not label or named < _LEAST_SAID * len(label) or any(one[0] == "#" and one not in worth for one in label):
        return 0.0, frozenset()
    return sum(worth.values()) * named / len(label), frozenset(worth)


def _asks(said: frozenset[str], question: Question) -> bool:
    """Whether the label says what is asked for, and not only of what."""
    if any(term.startswith(CODE) for term in said):
        return True
    wanted = question.head or question.asked or question.clause - question.strict
    return bool(wanted & said)
