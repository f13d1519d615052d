"""Compare a run with the stored baseline: paired differences by item, simple differences of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from backtrail.evals.bootstrap import bootstrap_pooled
from backtrail.evals.oracle import NAME as ORACLE
from backtrail.evals.paired import difference_of
from backtrail.evals.tasks.table import SUITES
from measure.costs import TIMES
from measure.fidelity import INGEST, LOSSES
from measure.measured import Measured
from measure.plan import NEITHER, WORSE_WHEN_HIGHER
from measure.scorers import failed, model_asked
from measure.sizes import LINES, WORDS

NOT_SAMPLED = frozenset({INGEST, ORACLE, failed().name, model_asked().name})
"""Methods and measures in which a single differing item is a finding, so that they have no interval."""
SAME, NEW, GONE, SKIPPED = "same", "new", "gone", "skipped"
Pair = tuple[float | None, float | None]
"""Scores of an item in the baseline and now; None where the measure does not apply."""
Key = tuple[str, str, str]
"""Table, method, measure."""


@dataclass(frozen=True)
class Row:
    """One measure of one method, or one number.

    ``low`` and ``high`` are the 95 % interval of the difference; numbers have none. ``better`` and ``worse`` name the
    items whose scores differ; of neutral measures ``better`` are those with higher scores.
    """

    table: str
    method: str
    measure: str
    verdict: str
    items: int = 0
    before: float | None = None
    now: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Whether it is a mean over items, in [0, 1]."""
        return bool(self.method)


def compare(now: Measured, before: Measured | None) -> list[Row]:
    """Return every row of either run. Without a baseline all rows are new."""
    before = before or Measured()
    return [*_table_rows(now, before), *_number_rows(now, before)]


def _table_rows(now: Measured, before: Measured) -> Iterator[Row]:
    ours, theirs = _by_row(now), _by_row(before)
    tables = {key[0] for key in ours}
    for key in dict.fromkeys([*ours, *theirs]):
        new, old = ours.get(key), theirs.get(key)
        if new is None or old is None:
            verdict = NEW if old is None else GONE if key[0] in tables else SKIPPED
            yield Row(*key, verdict, items=_count(new or {}), before=mean(old or {}), now=mean(new or {}))
        else:
            both = {id_: (old[id_], score) for id_, score in new.items() if id_ in old}
            pairs = {id_: pair for id_, pair in both.items() if pair != (None, None)}
            yield _paired(key, pairs) if pairs else Row(*key, NEW, items=_count(new), now=mean(new))


def _by_row(run: Measured) -> dict[Key, dict[str, float | None]]:
    """Return scores of each item by table, method and measure; suites have an additional table of all tasks."""
    found: dict[Key, dict[str, float | None]] = {}
    for name, table in run.tables.items():
        suites = [suite.name for suite in SUITES.values() if name in {task.name for task in suite.tasks}]
        for shown in (name, *suites):
            for method, measures in table.scores.items():
                for measure, scores in measures.items():
                    found.setdefault((shown, method, measure), {}).update(zip(table.ids, scores, strict=True))
    return found


def _paired(key: Key, pairs: dict[str, Pair]) -> Row:
    """Return the difference over the items of both runs; of means, if the measure applies to other items now."""
    low_is_good, neutral = key[2] in WORSE_WHEN_HIGHER, key[2] in NEITHER
    both = list(pairs.values())
    before = mean({id_: old for id_, (old, _) in pairs.items()})
    now = mean({id_: new for id_, (_, new) in pairs.items()})
    row = Row(*key, SAME, items=len(pairs), before=before, now=now, difference=0.0)
    if all(old == new for old, new in both):
        return row
    rose, fell = (tuple(id_ for id_, pair in pairs.items() if _apart(*pair, sign)) for sign in (1, -1))
    row = replace(row, better=fell if low_is_good else rose, worse=rose if low_is_good else fell)
    if key[1] in NOT_SAMPLED or key[2] in NOT_SAMPLED:
        difference = _difference_of_means(both)
        return replace(row, verdict=_verdict(difference, difference, low_is_good, neutral), difference=difference)
    gaps = [new - old for old, new in both if old is not None and new is not None]
    if len(gaps) == len(both):
        found = difference_of(key[2], gaps)
        difference, low, high = found.mean, found.low, found.high
    else:
        difference, (low, high) = _difference_of_means(both), bootstrap_pooled(both, _difference_of_means)
    return replace(row, verdict=_verdict(low, high, low_is_good, neutral), difference=difference, low=low, high=high)


def _apart(before: float | None, now: float | None, sign: int) -> bool:
    """Return whether a score rose (or fell, with a negative sign); a missing score counts as 0."""
    return sign * ((now or 0.0) - (before or 0.0)) > 0


def _verdict(low: float, high: float, worse_when_higher: bool, neither: bool) -> str:
    if low <= 0 <= high:
        return "within"
    if neither:
        return "more" if low > 0 else "less"
    return "better" if (low > 0) != worse_when_higher else "worse"


def _difference_of_means(pairs: Sequence[Pair]) -> float:
    """Return the difference of means; 0 where a draw has no item of one of the runs."""
    before, now = ([score for score in side if score is not None] for side in zip(*pairs, strict=True))
    return float(np.mean(now) - np.mean(before)) if before and now else 0.0


def _number_rows(now: Measured, before: Measured) -> Iterator[Row]:
    for group in dict.fromkeys([*now.numbers, *before.numbers]):
        ours, theirs = now.numbers.get(group, {}), before.numbers.get(group, {})
        for name in dict.fromkeys([*ours, *theirs]):
            new, old = ours.get(name), theirs.get(name)
            if new is None or old is None:
                verdict = NEW if old is None else SKIPPED if group not in now.numbers else GONE
                yield Row(group, "", name, verdict, before=old, now=new)
            else:
                yield Row(group, "", name, _number_verdict(group, name, new - old), 0, old, new, new - old)


def _number_verdict(group: str, name: str, difference: float) -> str:
    if difference == 0:
        return SAME
    if group in (LINES, WORDS, TIMES):
        return "more" if difference > 0 else "less"
    return "better" if (difference > 0) != (name in LOSSES) else "worse"


def mean(scores: Mapping[str, float | None]) -> float | None:
    """Return the mean over the items to which a measure applies; None if there are none."""
    applying = [score for score in scores.values() if score is not None]
    return float(np.mean(applying)) if applying else None


def _count(scores: Mapping[str, float | None]) -> int:
    return sum(score is not None for score in scores.values())
