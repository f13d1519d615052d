"""An allowance: dollars that a whole evaluation may spend, whatever its questions are allowed each."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome


class Allowance:
    """Admits questions while what was spent, and what those under way may spend, leaves something.

    A question under way is counted as the dearest that was finished, so that many side by side do not all start on the
    last cent. The first ones of an allowance are counted as free: nothing is known of them yet. Judging counts;
    outcomes of earlier evaluations do not.

    Args:
        usd: US dollars; None for no ceiling. With 0 nothing is asked at all.
    """

    def __init__(self, usd: float | None) -> None:
        self._usd = usd
        self._under_way = 0
        self._dearest = 0.0
        self.spent = 0.0

    @property
    def used_up(self) -> bool:
        """Whether a question was, or would be, turned away though none is under way."""
        return self._usd is not None and (self._usd == 0 or self.spent + self._dearest > self._usd)

    def admits(self) -> bool:
        """Whether one more question may be asked; it is under way from now on."""
        if self._usd == 0:
            return False
        if self._usd is not None and self.spent + self._dearest * (self._under_way + 1) > self._usd:
            return False
        self._under_way += 1
        return True

    def book(self, outcome: Outcome) -> None:
        """A question that was under way is finished."""
        cost = outcome.cost_usd + (outcome.judge_usage["cost_usd"] if outcome.judge_usage else 0.0)
        self._under_way -= 1
        self._dearest = max(self._dearest, cost)
        self.spent += cost
