"""Allowance: dollars that a whole evaluation may spend, beside the budget of each question."""

from __future__ import annotations

from backtrail.evals.outcome import Outcome


class Allowance:
    """Admit questions until the allowance is spent.

    A running question counts as much as the dearest finished one, so that parallel questions do not all start on the
    last cent. The first ones count as free, as no cost is known yet. Judging counts; outcomes of earlier evaluations
    do not.

    Args:
        usd: US dollars; None for no limit. With 0 no question is asked.
    """

    def __init__(self, usd: float | None) -> None:
        self._usd = usd
        self._under_way = 0
        self._dearest = 0.0
        self.spent = 0.0

    @property
    def used_up(self) -> bool:
        """Whether a question would be refused although none is running."""
        return self._usd is not None and (self._usd == 0 or self.spent + self._dearest > self._usd)

    def admits(self) -> bool:
        """Return whether one more question may be asked, and count it as running."""
        if self._usd == 0:
            return False
        if self._usd is not None and self.spent + self._dearest * (self._under_way + 1) > self._usd:
            return False
        self._under_way += 1
        return True

    def book(self, outcome: Outcome) -> None:
        """Book the cost of a running question that has finished."""
        cost = outcome.cost_usd + (outcome.judge_usage["cost_usd"] if outcome.judge_usage else 0.0)
        self._under_way -= 1
        self._dearest = max(self._dearest, cost)
        self.spent += cost
