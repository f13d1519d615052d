"""The table of steps agrees with the graphs and states it speaks of."""

from __future__ import annotations

import pytest

from backtrail.graphs.registry import METHODS, builder
from backtrail.graphs.steps import STEPS
from backtrail.tools.toolbox import Toolbox


@pytest.mark.parametrize("method", STEPS)
def test_steps_are_chosen_by_nodes_of_the_graph_and_kept_in_its_state(method: str) -> None:
    machine = builder(method)(Toolbox())
    assert STEPS[method].choosers <= set(machine.nodes)
    assert STEPS[method].records in machine.channels


@pytest.mark.parametrize("method", METHODS)
def test_a_graph_that_comes_back_to_a_node_counts_steps(method: str) -> None:
    """Otherwise the second visit would have no name to fork at."""
    drawn = builder(method)(Toolbox()).compile().get_graph()
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

    assert any(node in reached(node) for node in drawn.nodes) == (method in STEPS)


def test_several_records_may_belong_to_one_step() -> None:
    turns = STEPS["mmapg"]
    nodes = [{"step": number} for number in (0, 1, 2, 2)]
    assert (turns.taken({"planning_graph": nodes}), turns.upcoming({"planning_graph": nodes})) == ([1, 2], 3)
    assert (turns.taken({}), turns.upcoming({}), STEPS["fif"].upcoming({})) == ([], 1, 0)
