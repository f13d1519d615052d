"""Usage in the compact form that parallel branches pass on, with each branch's budget share.

A ledger has an entry for each node and step. Payloads of a fan-out carry their sum, so that twenty of them do not carry
twenty ledgers; and as siblings do not see each other's charges, each is given its share of what is left of a budget:
together they stay within it (``state/budget.py``).
"""

from __future__ import annotations

from backtrail.state.usage import Charge, charge, total_usage


def compacted(ledger: dict[str, Charge]) -> dict[str, Charge]:
    """The sum as one charge; shares stay apart, as do marks of refused calls."""
    shares = {key: one for key, one in ledger.items() if "share" in one}
    rest = {key: one for key, one in ledger.items() if key not in shares}
    total = total_usage(rest)
    total.pop("notes", None)
    marks: dict[str, Charge] = {
        key: {**charge(), "refused": one["refused"]} for key, one in rest.items() if "refused" in one
    }
    return {**shares, **marks, f"before.{len(shares)}": total}


def shared(ledger: dict[str, Charge], which: int, of: int) -> dict[str, Charge]:
    """The ledger for one of several siblings, compacted, with its share of what is left. Counted from 0."""
    small = compacted(ledger)
    last = next(reversed(small))
    return {**small, last: {**small[last], "share": [which, of]}}
