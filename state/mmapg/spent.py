"""What was spent, in the small form in which it is handed to work that runs side by side.

A ledger has an entry for each node and step. Payloads of a fan-out carry their sum, so that twenty of
them do not carry twenty ledgers.
"""

from __future__ import annotations

from backtrail.state.usage import Charge, charge, total_usage


def compacted(ledger: dict[str, Charge]) -> dict[str, Charge]:
    """The sum as one charge, and for each charge with a refused call a mark that keeps the refusal."""
    total = total_usage(ledger)
    total.pop("notes", None)
    marks: dict[str, Charge] = {
        key: {**charge(), "refused": one["refused"]} for key, one in ledger.items() if "refused" in one
    }
    return {**marks, "before": total}


def after_siblings(spent: dict[str, Charge], index: int) -> dict[str, Charge]:
    """What will have been spent when the ``index`` siblings before this one have each made a call like the others.

    Siblings do not see each other's charges. Counting those before it keeps the ceiling on calls where each
    makes one, and that on tokens and dollars about where it is.
    """
    before = total_usage(spent)
    calls = max(before["calls"], 1)
    siblings = charge(
        calls=index,
        input_tokens=before["input_tokens"] * index // calls,
        output_tokens=before["output_tokens"] * index // calls,
        cost_usd=before["cost_usd"] * index / calls,
    )
    return {**spent, "siblings": siblings}
