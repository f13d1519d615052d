"""The rows agree with the graphs, states, settings and steps they speak of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from backtrail.evals.outcome import keys_read
from backtrail.graphs.methods import METHODS, find_method
from backtrail.graphs.steps import Steps
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

ROOT = Path(__file__).parents[3]
SHARED = {"human", "budget", "web", "offline"}
"""Parts of the settings that are no single method's."""


@pytest.mark.parametrize("name", METHODS)
def test_records_and_what_evaluations_read_are_in_the_state(name: str) -> None:
    method = METHODS[name]
    channels = set(method.build(Toolbox()).channels)
    assert set(method.records) <= channels
    assert set(keys_read(method)) <= channels


@pytest.mark.parametrize("name", METHODS)
def test_planning_nodes_are_nodes_of_the_graph(name: str) -> None:
    method = METHODS[name]
    assert method.planners <= set(method.build(Toolbox()).nodes)


def test_every_part_of_the_settings_is_of_one_method() -> None:
    kinds = {name: field.annotation for name, field in Settings.model_fields.items()}
    parts = {name for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, BaseModel)}
    assert sorted(method.settings for method in METHODS.values() if method.settings) == sorted(parts - SHARED)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_knows_no_other(name: str) -> None:
    """What two methods need is shared, outside of their folders."""
    own = [file for room in ("state", "rules", "nodes") for file in (ROOT / room / name).rglob("*.py")]
    others = "|".join(sorted(METHODS.keys() - {name}))
    foreign = re.compile(rf"backtrail\.(?:state|rules|nodes)\.(?:{others})\.")
    assert not [file for file in (*own, ROOT / "graphs" / f"{name}.py") if foreign.search(file.read_text("utf-8"))]


STEPS = {name: method.steps for name, method in METHODS.items() if method.steps}


@pytest.mark.parametrize("method", STEPS)
def test_steps_are_chosen_by_nodes_of_the_graph_and_kept_in_its_state(method: str) -> None:
    machine = find_method(method).build(Toolbox())
    assert STEPS[method].choosers <= set(machine.nodes)
    assert STEPS[method].records in machine.channels


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
