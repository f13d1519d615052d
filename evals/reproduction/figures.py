"""Figures of a reproduced table: value, interval, difference from the published figure, and p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backtrail.evals.outcome import Outcome
from backtrail.evals.paired import differences, holm
from backtrail.evals.published.table import Column, Row, Table, number_of
from backtrail.evals.questions import Question
from backtrail.evals.reproduction.comparable import model_reasons
from backtrail.evals.reproduction.known_prices import COST, unpriced
from backtrail.evals.reproduction.plan import Plan, PlannedRun, has_tags
from backtrail.evals.runner import Evaluation
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.common import with_common
from backtrail.evals.summary import Score, summarise
from backtrail.state.variant import VariantName

Pairs = Sequence[tuple[Question, Outcome]]
Made = Mapping[tuple[str, VariantName], Mapping[str, PlannedRun]]
"""Finished runs by benchmark, of each row and variant."""


@dataclass(frozen=True)
class Figure:
    """One reproduced cell, in the units of the paper.

    ``value`` is None where nothing was measured. ``low`` and ``high`` are the 95 % bootstrap interval; None for a mean
    over columns. ``gap`` and ``p`` are against the reference row, ``p`` adjusted for all rows of the column (Holm).
    """

    row: Row
    variant: VariantName
    column: Column
    printed: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0
    p: float | None = None
    gap: float | None = None

    @property
    def published(self) -> float | None:
        """The printed figure; None where there is none."""
        return number_of(self.printed)

    @property
    def difference(self) -> float | None:
        """Our figure minus the published one."""
        if self.value is None or self.published is None or self.column.differs:
            return None
        return self.value - self.published


@dataclass(frozen=True)
class Line:
    """A row in one variant: figures by column, and questions asked, left and failed by benchmark.

    ``run_of`` names the row that the same runs are shown under; "" for that row itself, and for runs of its own.
    """

    row: Row
    variant: VariantName
    figures: tuple[Figure, ...]
    questions: Mapping[str, int]
    remaining: Mapping[str, int]
    failed: Mapping[str, tuple[Outcome, ...]]
    run_of: str = ""


def lines_of(plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation]) -> list[Line]:
    """Return a line for each row and variant that was run, in the order of the table."""
    made: dict[tuple[str, VariantName], dict[str, PlannedRun]] = {}
    for run in plan.runs:
        if run.key in evaluated:
            made.setdefault((run.row.name, run.variant), {})[run.benchmark] = run
    owners = _owners(plan.table, made)
    found = [replace(_line(plan.table, runs, evaluated), run_of=owners.get(key, "")) for key, runs in made.items()]
    order = {row.name: place for place, row in enumerate(plan.table.rows)}
    lines = sorted(found, key=lambda line: (order[line.row.name], line.variant != "published"))
    return _with_significance(plan, lines, made, evaluated)


def _owners(table: Table, made: Made) -> dict[tuple[str, VariantName], str]:
    """Return for each row with the same runs as another the one of them whose models are nearest to the paper's."""
    same: dict[tuple[object, ...], list[tuple[str, VariantName]]] = {}
    for key, runs in made.items():
        same.setdefault((key[1], *(run.key for run in runs.values())), []).append(key)

    def differing(key: tuple[str, VariantName]) -> int:
        run = next(iter(made[key].values()))
        return len(model_reasons(table, run.row, run.job.settings))

    owners = {key: min(keys, key=differing) for keys in same.values() for key in keys}
    return {key: owner[0] for key, owner in owners.items() if owner != key}


def _line(table: Table, runs: Mapping[str, PlannedRun], evaluated: Mapping[tuple[str, ...], Evaluation]) -> Line:
    first = next(iter(runs.values()))
    done = {name: evaluated[run.key] for name, run in runs.items()}
    figures: list[Figure] = []
    for column, printed in zip(table.columns, first.row.figures, strict=True):
        figure = Figure(first.row, first.variant, column, printed)
        run = runs.get(column.benchmark)
        figures.append(_measured(figure, run, done[column.benchmark].pairs) if run else figure)
    return Line(
        first.row,
        first.variant,
        tuple(_meant(figure, figures) if figure.column.mean else figure for figure in figures),
        {name: len(one.pairs) for name, one in done.items()},
        {name: len(one.questions) - len(one.pairs) for name, one in done.items()},
        {name: tuple(outcome for _, outcome in one.pairs if outcome.error is not None) for name, one in done.items()},
    )


def _measured(figure: Figure, run: PlannedRun, pairs: Pairs) -> Figure:
    if figure.column.metric == COST and unpriced([run.job.settings]):
        return figure
    score = score_of(figure.column, with_common(run.job.task.scorers), pairs)
    if score is None:
        return figure
    factor = factor_of(figure.column, score)
    value, low, high = (factor * part for part in (score.mean, score.low, score.high))
    return replace(figure, value=value, low=low, high=high, count=score.count)


def score_of(column: Column, scorers: Sequence[Scorer], pairs: Pairs) -> Score | None:
    """Return the score of a column over its questions; None where it applies to none."""
    own = [pair for pair in pairs if has_tags(pair[0], column.where)]
    named = [scorer for scorer in scorers if scorer.name == column.metric]
    return summarise("", named, own).scores.get(column.metric)


def factor_of(column: Column, score: Score) -> float:
    """Return the factor from a score to the printed unit."""
    return column.factor if column.factor is not None else 100.0 if score.unit == "share" else 1.0


def _meant(figure: Figure, figures: Sequence[Figure]) -> Figure:
    """Fill in the mean of the columns of the same metric, if each of them has a value."""
    parts = [one.value for one in figures if one.column.metric == figure.column.metric and not one.column.mean]
    values = [part for part in parts if part is not None]
    whole = bool(values) and len(values) == len(parts)
    return replace(figure, value=sum(values) / len(values)) if whole else figure


def _with_significance(
    plan: Plan,
    lines: list[Line],
    made: Made,
    evaluated: Mapping[tuple[str, ...], Evaluation],
) -> list[Line]:
    """Fill in gap and p of each row against the reference row, of the same variant if that was run."""
    references = {line.variant: line for line in lines if line.row.name == plan.table.reference}
    if not references:
        return lines
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for place, column in enumerate(plan.table.columns):
        known: list[tuple[int, float, float]] = []
        for number, line in enumerate(lines):
            against = references.get(line.variant) or next(iter(references.values()))
            if line is against or line.run_of or column.mean:
                continue
            own, other = made[line.row.name, line.variant], made[against.row.name, against.variant]
            if column.benchmark in own and column.benchmark in other:
                gap = _gap(column, own[column.benchmark], other[column.benchmark], evaluated)
                known += [(number, *gap)] if gap else []
        adjusted = holm([p for _, _, p in known])
        found.update({(number, place): (gap, p) for (number, gap, _), p in zip(known, adjusted, strict=True)})
    return [_compared(line, number, found) for number, line in enumerate(lines)]


def _compared(line: Line, number: int, found: Mapping[tuple[int, int], tuple[float, float]]) -> Line:
    figures = (
        replace(figure, gap=found[number, place][0], p=found[number, place][1]) if (number, place) in found else figure
        for place, figure in enumerate(line.figures)
    )
    return replace(line, figures=tuple(figures))


def _gap(
    column: Column, run: PlannedRun, against: PlannedRun, evaluated: Mapping[tuple[str, ...], Evaluation]
) -> tuple[float, float] | None:
    """Return the mean paired difference in points and its p; None without pairs, or when both are the same run."""
    if run.key == against.key:
        return None
    own, other = ([pair for pair in evaluated[one.key].pairs if has_tags(pair[0], column.where)]
                  for one in (run, against))  # fmt: skip
    scorers = [scorer for scorer in with_common(run.job.task.scorers) if scorer.name == column.metric]
    found = differences(scorers, own, other).get(column.metric)
    return None if found is None else (100 * found.mean, found.p)
