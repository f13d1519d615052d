"""Budgets end a run at the ceiling, and work side by side shares what is left."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.budget import UNBOUNDED, Allowance, allowance, exceeded, may_spend
from backtrail.state.settings import Budget, Settings
from backtrail.state.spent_shares import compacted, shared
from backtrail.state.usage import Charge, charge, total_usage


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(calls=2), "budget:calls"),
        (Budget(input_tokens=100), "budget:input_tokens"),
        (Budget(output_tokens=10), "budget:output_tokens"),
        (Budget(usd=0.5), "budget:usd"),
        (Budget(seconds=3), "budget:seconds"),
        (Budget(steps=4), "budget:steps"),
    ],
)
def test_each_ceiling_is_named_when_it_is_reached(budget: Budget, reason: str) -> None:
    spent = {
        "evaluate@0": charge(calls=1, input_tokens=60, output_tokens=5, cost_usd=0.3, stage="model", seconds=2),
        "evaluate@1": charge(calls=1, input_tokens=60, output_tokens=5, cost_usd=0.3, stage="model", seconds=2),
    }
    assert exceeded(spent, 4, budget) == reason


@pytest.mark.parametrize("budget", [Budget(calls=0), Budget(usd=0), Budget(input_tokens=0)])
def test_a_ceiling_of_zero_forbids_calls_but_not_the_free_run(budget: Budget) -> None:
    assert not may_spend({}, budget)
    assert exceeded({}, 3, budget) is None


def test_the_last_affordable_call_is_made_and_no_other() -> None:
    spent = {"evaluate@0": charge(calls=1, cost_usd=0.1)}
    assert may_spend(spent, Budget(calls=2))
    assert not may_spend(spent, Budget(calls=1))
    assert not may_spend(spent, Budget(usd=0.1))


def test_settings_refuse_unknown_fields_and_describe_every_one() -> None:
    with pytest.raises(ValueError, match="corpsu"):
        Settings.model_validate({"corpsu": "examples"})
    for model in (Settings, Budget, type(Settings().fif)):
        for name, field in model.model_fields.items():
            assert field.description, f"{model.__name__}.{name} has no description: it would be a bare box in Studio"


def test_an_allowance_is_what_is_left() -> None:
    spent = {"evaluate@0": charge(calls=3, input_tokens=60, output_tokens=5, cost_usd=0.25, stage="model", seconds=2)}
    assert allowance(spent, Budget()) == UNBOUNDED
    budget = Budget(calls=5, input_tokens=100, output_tokens=5, usd=1.0, seconds=3)
    assert allowance(spent, budget) == Allowance(calls=2, input_tokens=40, output_tokens=0, usd=0.75, seconds=1)


@given(used=st.integers(0, 9), ceiling=st.integers(0, 9))
def test_an_allowance_is_never_negative_and_forbids_what_the_budget_forbids(used: int, ceiling: int) -> None:
    spent = {"evaluate@0": charge(calls=used)}
    left = allowance(spent, Budget(calls=ceiling)).calls
    assert left >= 0
    assert (left > 0) == may_spend(spent, Budget(calls=ceiling))


def test_a_refused_call_counts_as_a_reached_ceiling_until_the_ceiling_is_raised() -> None:
    spent: dict[str, Charge] = {"evaluate@0": {**charge(calls=1, cost_usd=0.3), "refused": {"usd": 0.5}}}
    for usd, over in ((0.5, True), (0.4, True), (0.6, False)):
        assert exceeded(spent, 0, Budget(usd=usd)) == ("budget:usd" if over else None)
        assert may_spend(spent, Budget(usd=usd)) is not over
    assert exceeded(spent, 0, Budget(calls=2)) is None


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
