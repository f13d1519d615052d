"""A plan whose parts are named in another order than they can be resolved in costs no second call."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.decompose_decisions import (
    DECOMPOSE,
    DecomposeInputs,
    Plan,
    PlannedSubquery,
    earlier_only,
    in_order,
)
from backtrail.state.mmapg.planning_decisions import OVERALL_PLAN, KeyPart, OverallPlan, OverallPlanInputs


def test_a_subquery_comes_after_what_it_waits_for() -> None:
    said = [PlannedSubquery(text="born", depends_on=[1, 1]), PlannedSubquery(text="designer", depends_on=[1, 7, -1])]
    settled = DECOMPOSE.normalize(DecomposeInputs(question="?"), Plan(subqueries=said))
    assert [(one.text, one.depends_on) for one in settled.subqueries] == [("designer", []), ("born", [0])]


def test_parts_that_wait_for_each_other_are_asked_for_again() -> None:
    said = Plan(subqueries=[PlannedSubquery(text="One?", depends_on=[1]), PlannedSubquery(text="Two?", depends_on=[0])])
    settled = DECOMPOSE.normalize(DecomposeInputs(question="?"), said)
    assert settled == said
    assert earlier_only(DecomposeInputs(question="?"), settled) == [
        "Subquery 0 depends on 1, which comes after it; they wait for each other."
    ]


def test_an_overall_plan_is_put_in_order_too() -> None:
    said = OverallPlan(components=[KeyPart(text="born", needs=[1]), KeyPart(text="designer", needs=[1])])
    settled = OVERALL_PLAN.normalize(OverallPlanInputs(question="?"), said)
    assert [(one.text, one.needs) for one in settled.components] == [("designer", []), ("born", [0])]
    circle = OverallPlan(components=[KeyPart(text="a", needs=[1]), KeyPart(text="b", needs=[0])])
    [problem] = OVERALL_PLAN.check(OverallPlanInputs(question="?"), circle)
    assert "they wait for each other" in problem


@given(st.lists(st.lists(st.integers(-2, 7), max_size=4), min_size=1, max_size=6))
def test_nothing_is_lost_and_only_circles_look_ahead(needs: list[list[int]]) -> None:
    order, renumbered = in_order(needs)
    assert sorted(order) == list(range(len(needs)))
    for place, (part, needed) in enumerate(zip(order, renumbered, strict=True)):
        assert {order[other] for other in needed} == {n for n in needs[part] if 0 <= n < len(needs) and n != part}
        assert place not in needed
    if all(other < i for i, each in enumerate(needs) for other in each):
        assert order == list(range(len(needs)))
    assert any(other > place for place, needed in enumerate(renumbered) for other in needed) == goes_round(renumbered)


def goes_round(needs: list[list[int]]) -> bool:
    try:
        TopologicalSorter({i: set(each) for i, each in enumerate(needs)}).prepare()
    except CycleError:
        return True
    return False
