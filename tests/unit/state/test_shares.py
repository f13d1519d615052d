"""Work that runs side by side shares what is left of a budget: together it stays within every ceiling."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.budget import allowance, may_spend
from backtrail.state.settings import Budget
from backtrail.state.shares import compacted, shared
from backtrail.state.usage import charge, total_usage


def test_what_was_spent_is_handed_on_small_and_keeps_its_refusals() -> None:
    refused: Any = {**charge(calls=1), "refused": {"usd": 0.5}}
    ledger = {f"examine@{n}": charge(calls=2, input_tokens=10, cost_usd=0.1) for n in range(50)} | {"plan@1": refused}
    small = compacted(ledger)
    assert len(small) == 2
    assert total_usage(small) == total_usage(ledger)
    assert small["plan@1"]["refused"] == {"usd": 0.5}
    assert not may_spend(shared(ledger, 0, 2), Budget(usd=0.5))


@given(spent=st.integers(0, 30), ceiling=st.integers(1, 40), of=st.integers(1, 40))
def test_siblings_together_have_what_is_left_and_no_more(spent: int, ceiling: int, of: int) -> None:
    ledger = {"plan@1": charge(calls=spent)}
    budget = Budget(calls=ceiling)
    parts = [allowance(shared(ledger, which, of), budget).calls or 0 for which in range(of)]
    assert sum(parts) == max(0, ceiling - spent)
    assert max(parts) - min(parts) <= 1
    assert [may_spend(shared(ledger, which, of), budget) for which in range(of)] == [part > 0 for part in parts]


@given(own=st.integers(0, 4), inner=st.integers(1, 5))
def test_shares_within_shares(own: int, inner: int) -> None:
    outer = shared({"plan@1": charge(calls=2)}, 0, 2)  # 10 of 20 are for this branch, less 1 for the plan
    inside = {**outer, "split@1": charge(calls=own)}
    parts = [allowance(shared(inside, which, inner), Budget(calls=20)).calls or 0 for which in range(inner)]
    assert sum(parts) == 9 - own


def test_what_cannot_be_counted_is_divided_evenly() -> None:
    parts = [allowance(shared({}, which, 4), Budget(usd=1.0, seconds=8.0)) for which in range(4)]
    assert {part.usd for part in parts} == {0.25}
    assert {part.seconds for part in parts} == {2.0}
    assert parts[0].calls is None
