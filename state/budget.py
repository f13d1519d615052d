"""Hard budgets: a run that would pass a ceiling stops and answers with the best so far.

Ceilings are checked between decisions, against the ledger (``exceeded``, ``may_spend``), and before every model call
within a decision, against its ``Allowance``.
"""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.settings import Budget
from backtrail.state.usage import Charge, total_usage


@dataclass(frozen=True)
class Allowance:
    """What a decision may spend: calls, tokens, US dollars, seconds. None means no ceiling."""

    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


UNBOUNDED = Allowance()


def allowance(ledger: dict[str, Charge], budget: Budget) -> Allowance:
    """Return what is left under every ceiling, never below zero.

    Siblings of a fan-out do not see each other's charges. Where their ledger has a share (``state/spent_shares.py``:
    the retrievals and examinations of MMAPG, the agents of HM-RAG), each gets its part, so that together they stay
    within the ceiling. Other siblings, at most two, each get all that is left; the next step sees the sum.
    """
    return Allowance(
        calls=_whole(_left(ledger, "calls", budget.calls)),
        input_tokens=_whole(_left(ledger, "input_tokens", budget.input_tokens)),
        output_tokens=_whole(_left(ledger, "output_tokens", budget.output_tokens)),
        usd=_left(ledger, "usd", budget.usd),
        seconds=_left(ledger, "seconds", budget.seconds),
    )


def _left(ledger: dict[str, Charge], name: str, ceiling: float | None) -> float | None:
    """Return what is left under a ceiling after every share of the ledger, in order."""
    if ceiling is None:
        return None
    left: float = ceiling
    for one in ledger.values():
        if "share" in one:
            which, of = one["share"]
            left = _part(left - _amount(one, name), which, of, whole=name not in ("usd", "seconds"))
    return max(0, left - sum(_amount(one, name) for one in ledger.values() if "share" not in one))


def _part(left: float, which: int, of: int, *, whole: bool) -> float:
    """Return an equal part; the first siblings get one more each of an indivisible rest."""
    if not whole:
        return max(0.0, left) / of
    each, rest = divmod(max(0, int(left)), of)
    return each + (which < rest)


def _amount(one: Charge, name: str) -> float:
    match name:
        case "calls":
            return one["calls"]
        case "input_tokens":
            return one["input_tokens"]
        case "output_tokens":
            return one["output_tokens"]
        case "usd":
            return one["cost_usd"]
        case _:
            return sum(one["seconds"].values())


def _whole(left: float | None) -> int | None:
    return None if left is None else int(left)


def exceeded(ledger: dict[str, Charge], steps: int, budget: Budget) -> str | None:
    """Return the stop reason of the first ceiling that has been reached, or None.

    A ceiling of n allows n: the run stops when the next call or step would be number n + 1. A run that has spent
    nothing has reached no ceiling; with a ceiling of zero, ``may_spend`` refuses the first call. A ceiling is also
    reached once a call was refused because it did not fit under it.
    """
    for name, (used, ceiling) in _measured(ledger, steps, budget).items():
        if ceiling is not None and ((used >= ceiling and used > 0) or _refused(ledger, name, ceiling)):
            return f"budget:{name}"
    return None


def may_spend(ledger: dict[str, Charge], budget: Budget) -> bool:
    """Return whether one more model call fits under every ceiling."""
    measured = _measured(ledger, 0, budget)
    for name, (_, ceiling) in measured.items():
        left = _left(ledger, name, ceiling) if name != "steps" else None
        if left is not None and ceiling is not None and (left <= 0 or _refused(ledger, name, ceiling)):
            return False
    return True


def ceiling_of(budget: Budget, name: str) -> float | None:
    """Return the ceiling with this name."""
    return _measured({}, 0, budget)[name][1]


def _refused(ledger: dict[str, Charge], name: str, ceiling: float) -> bool:
    """Return whether a call was refused under this or a higher ceiling; raising it allows calls again."""
    return any(name in one.get("refused", {}) and ceiling <= one.get("refused", {})[name] for one in ledger.values())


def _measured(ledger: dict[str, Charge], steps: int, budget: Budget) -> dict[str, tuple[float, float | None]]:
    spent = total_usage(ledger)
    return {
        "steps": (steps, budget.steps),
        "calls": (spent["calls"], budget.calls),
        "input_tokens": (spent["input_tokens"], budget.input_tokens),
        "output_tokens": (spent["output_tokens"], budget.output_tokens),
        "usd": (spent["cost_usd"], budget.usd),
        "seconds": (sum(spent["seconds"].values()), budget.seconds),
    }
