"""Compact usage for parallel branches, with each branch's share of the budget.

A ledger has an entry for each node and step. Payloads of a fan-out carry their sum instead, which stays small. Siblings
do not see each other's charges, so each gets a share of what is left: together they stay within the budget
(``state/budget.py``).
"""

from __future__ import annotations

from backtrail.state.usage import Charge, charge, total_usage


def compacted(ledger: dict[str, Charge]) -> dict[str, Charge]:
    """Sum the charges into one; shares and marks of refused calls stay separate."""
    shares = {key: one for key, one in ledger.items() if "share" in one}
    rest = {key: one for key, one in ledger.items() if key not in shares}
    total = total_usage(rest)
    total.pop("notes", None)
    marks: dict[str, Charge] = {
        key: {**charge(), "refused": one["refused"]} for key, one in rest.items() if "refused" in one
    }
    return {**shares, **marks, f"before.{len(shares)}": total}


def shared(ledger: dict[str, Charge], which: int, of: int) -> dict[str, Charge]:
    """Return the compacted ledger of one of ``of`` siblings, from 0, with its share of what is left."""
    small = compacted(ledger)
    last = next(reversed(small))
    return {**small, last: {**small[last], "share": [which, of]}}
