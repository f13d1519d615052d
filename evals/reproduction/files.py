"""Format a reproduced table as CSV, with a line for each figure, and as LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from backtrail.evals.published.table import Table
from backtrail.evals.reproduction.figures import Line
from backtrail.evals.reproduction.markdown_table import shown

COLUMNS = (
    "row", "variant", "benchmark", "column", "metric", "published", "place", "ours", "low", "high", "difference",
    "questions", "gap to reference", "p", "same run as",
)  # fmt: skip
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "†": r"\dag{}", "–": "--", ">": r"\textgreater{}",
    "<": r"\textless{}",
}  # fmt: skip


def as_csv(table: Table, lines: Sequence[Line]) -> str:
    """Return one line per figure, with published ones of rows that were not run; missing values are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    run = {line.row.name for line in lines}
    for row in table.rows:
        if row.name in run:
            continue
        for column, figure in zip(table.columns, row.figures, strict=True):
            if figure:
                head = [row.name, "", column.benchmark, column.name, column.metric, figure.replace(",", "")]
                writer.writerow([*head, table.place_of(row, column), *[""] * 8])
    for line in lines:
        for one in line.figures:
            place = table.place_of(one.row, one.column) if one.published is not None else ""
            numbers = (one.value, one.low, one.high, one.difference, one.count or None, one.gap, one.p)
            head = [one.row.name, one.variant, one.column.benchmark, one.column.name, one.column.metric]
            writer.writerow([*head, _plain(one.published), place, *map(_plain, numbers), line.run_of])
    return text.getvalue()


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def as_latex(table: Table, lines: Sequence[Line]) -> str:
    """Return a booktabs tabular for each benchmark, published rows above ours."""
    parts = [_tabular(table, name, lines) for name in dict.fromkeys(column.benchmark for column in table.columns)]
    return "\n\n".join(parts) + "\n"


def _tabular(table: Table, name: str, lines: Sequence[Line]) -> str:
    places = [place for place, column in enumerate(table.columns) if column.benchmark == name]
    title = table.benchmarks[name].name if name else "Over all benchmarks"
    head = ["", "", *(table.columns[place].name or table.columns[place].metric for place in places)]
    rows: list[str] = []
    for row in table.rows:
        rows.append(_row([row.name, "paper", *(row.figures[place] or "–" for place in places)]))
        for line in lines:
            if line.row.name == row.name and not line.run_of:
                cells = (line.figures[place] for place in places)
                rows.append(_row(["", line.variant, *("–" if c.value is None else shown(c.value, c) for c in cells)]))
    body = "\n".join(rows)
    return (
        f"% {table.paper}, {table.section}: {title}\n\\begin{{tabular}}{{ll{'r' * len(places)}}}\n\\toprule\n"
        f"{_row(head)}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}"
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join("".join(_LATEX.get(character, character) for character in cell) for cell in cells) + r" \\"
