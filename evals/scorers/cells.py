"""F1 of the cells of a table, compared by row and column name (ours).

The cells of the answer's table are read, else its Markdown tables; the first cell of a row is its name. Names and
values are normalised as spans of lists (``list_answers``), so that neither order nor case counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.list_answers import normalised

Cell = tuple[str, str, str]
"""Row name, column name and value, normalised."""


def cell_f1() -> Scorer:
    """Harmonic mean of precision and recall of cells; questions without a table are skipped."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        wanted = {
            (normalised(row), normalised(column), normalised(value))
            for row, values in question.cells.items()
            for column, value in values.items()
        }
        if not wanted:
            return None
        held = {(normalised(row), normalised(column), normalised(value)) for row, column, value in outcome.cells}
        said = set[Cell]() if outcome.abstained else held or set(cells_in(outcome.answer))
        return 2 * len(said & wanted) / (len(said) + len(wanted))

    return Scorer("Cell F1", measure)


def cells_in(text: str) -> Iterator[Cell]:
    """Yield the cells of all Markdown tables of a text; empty ones and names of rows are left out."""
    header: list[str] = []
    row: list[str] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            row = []
        elif token.type in ("th_open", "td_open"):
            row.append(normalised("".join(one.content for one in following.children or [])))
        elif token.type == "thead_open":
            header = row = []
        elif token.type == "tr_close" and following.type == "thead_close":
            header = row
        elif token.type == "tr_close":
            yield from ((row[0], column, cell) for column, cell in zip(header[1:], row[1:], strict=False) if cell)
