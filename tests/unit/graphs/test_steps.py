"""The table of steps agrees with the graphs and states it speaks of."""

from __future__ import annotations

import pytest

from backtrail.graphs.methods import METHODS, find_method
from backtrail.graphs.steps import Steps
from backtrail.tools.toolbox import Toolbox

STEPS = {name: method.steps for name, method in METHODS.items() if method.steps}


@pytest.mark.parametrize("method", STEPS)
def test_steps_are_chosen_by_nodes_of_the_graph_and_kept_in_its_state(method: str) -> None:
    machine = find_method(method).build(Toolbox())
    assert STEPS[method].choosers <= set(machine.nodes)
    assert STEPS[method].records in machine.channels


@pytest.mark.parametrize("method", METHODS)
def test_a_graph_that_comes_back_to_a_node_counts_steps(method: str) -> None:
    """Otherwise the second visit would have no name to fork at."""
    drawn = find_method(method).build(Toolbox()).compile().get_graph()
    after: dict[str, set[str]] = {}
    for edge in drawn.edges:
        after.setdefault(edge.source, set()).add(edge.target)

    def reached(start: str) -> set[str]:
        found, left = set[str](), [start]
        while left:
            new = after.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    steps = METHODS[method].steps
    counts = bool(steps and steps.choosers)
    assert any(node in reached(node) for node in drawn.nodes) == counts


def test_several_records_may_belong_to_one_step() -> None:
    turns = STEPS["mmapg"]
    nodes = [{"step": number} for number in (0, 1, 2, 2)]
    assert (turns.taken({"planning_graph": nodes}), turns.upcoming({"planning_graph": nodes})) == ([1, 2], 3)
    assert (turns.taken({}), turns.upcoming({}), STEPS["fif"].upcoming({})) == ([], 1, 0)


def test_a_step_that_is_chosen_and_not_recorded_counts_as_taken() -> None:
    steps, hops = STEPS["fif"], [{"step": 0}, {"step": 1}]
    assert steps.upcoming({"hops": hops, "hop": None}) == 2
    assert steps.upcoming({"hops": hops, "hop": {"route": {"step": 2}}}) == 3
    assert not STEPS["mmapg"].is_begun({"hop": {"route": {"step": 2}}})


def test_the_record_of_the_end_is_no_step_that_a_budget_counts() -> None:
    hops = [{"step": number, "kind": "traverse"} for number in range(10)]
    assert STEPS["fif"].spent({"hops": hops}) == 10
    assert STEPS["fif"].spent({"hops": [*hops, {"step": 10, "kind": "stop"}]}) == 10
    assert STEPS["mmapg"].spent({"planning_graph": [{"step": 1, "kind": "answer"}]}) == 1


def test_records_without_numbers_are_steps_one_by_one() -> None:
    assert Steps("search", "searches").taken({"searches": [{}, {}]}) == [1, 2]
