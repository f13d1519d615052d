"""Fitting: what weights of a ranking are learnt from, and what they are drawn to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from backtrail.rules.reader.ranking import Ranking, packaged_ranking
from backtrail.training.answer_ranking.listwise import Choices, Floats, fit
from backtrail.training.errors import TooFewToRank, WeightsError

CANDIDATES, QUOTES = "candidates", "quotes"
SETS = (CANDIDATES, QUOTES)
PACKAGED = "packaged"
"""In place of a file: the weights that come with the package."""
# How strongly weights are drawn, where nobody says how.
PULLS = {CANDIDATES: 0.01, QUOTES: 0.05}
# Fewer questions with a right and a wrong thing tell nothing of so many signals (ours).
LEAST = 100


@dataclass(frozen=True)
class Fitting:
    """How weights are learnt.

    Args:
        towards: the weights they are drawn to, a signal without one to zero; all to zero where None.
        pull: how strongly, as the ridge penalty on weights by the spread of their signal; that of ``PULLS`` where None.
        first: of the candidates of a question only so many are learnt from, the likeliest by ``towards`` (or by the
            weights of the package); all where None.
        learnt: which sets of weights are; the others stay those of ``towards`` (or of the package).
        least: questions with a right thing among others that there must be.
        signals: of candidates only these are weighed anew, and all others as before; all where empty.
        counts: by a pattern of tasks as how many a question of theirs counts (the first that fits; else one).
    """

    towards: Ranking | None = None
    pull: float | None = None
    first: int | None = None
    learnt: Sequence[str] = SETS
    least: int = LEAST
    signals: Sequence[str] = ()
    counts: Mapping[str, float] = field(default_factory=dict[str, float])

    def counted(self, one: Choices, task: str) -> Choices:
        """The things of a question of a task, to count as questions of that task do."""
        found = next((times for pattern, times in self.counts.items() if fnmatchcase(task, pattern)), 1.0)
        return replace(one, counts=found)

    @property
    def before(self) -> Ranking:
        """The weights that there are before any are learnt."""
        return packaged_ranking() if self.towards is None else self.towards

    def fitted(self, of: str, names: Sequence[str], lists: Sequence[Choices]) -> dict[str, float]:
        """The weights of these signals, to two digits.

        Raises:
            TooFewToRank: too few of the lists have a right thing beside a wrong one.
        """
        teaching = sum(one.teaches for one in lists)
        if teaching < self.least:
            raise TooFewToRank(of, len(lists), teaching, self.least)
        held = {} if self.towards is None else self.towards[of]
        start: Floats = np.array([held.get(name, 0.0) for name in names], np.float64)
        drawn = [replace(one, given=one.given + one.signals @ start) for one in lists]
        moved = fit(drawn, penalty=PULLS[of] if self.pull is None else self.pull, each=of == QUOTES)
        found = np.round(start + moved, 2) + 0.0  # no "-0.0"
        return dict(zip(names, found.tolist(), strict=True))


def read_ranking(name: str) -> Ranking:
    """The weights of a file, or ``packaged`` ones.

    Raises:
        OSError: it cannot be read.
        WeightsError: it does not hold both sets of weights.
    """
    if name == PACKAGED:
        return packaged_ranking()
    try:
        found = json.loads(Path(name).read_bytes())
        return {of: {str(signal): float(weight) for signal, weight in found[of].items()} for of in SETS}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise WeightsError(Path(name)) from error
