"""Methods: their rows agree with their graphs, their forms have their settings, and none stores what it refuses."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

from backtrail.evals.outcome import keys_read
from backtrail.graphs.methods import METHODS, find_method
from backtrail.graphs.serving import forms
from backtrail.graphs.steps import Steps
from backtrail.state.errors import InputRefused
from backtrail.state.settings import Settings
from backtrail.tools.access import choices
from backtrail.tools.access.choices import Choices, look_up_choices
from backtrail.tools.access.policy.file import policy_file
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


THREAD: Any = {"configurable": {"thread_id": "t"}}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("asked", [{"question": "long." * 400_000}, {"question": " "}, {"messages": []}])
async def test_nothing_is_stored_of_what_is_refused(method: str, asked: dict[str, Any]) -> None:
    saver = InMemorySaver()
    graph = find_method(method).build(Toolbox()).compile(checkpointer=saver, name=method)
    with pytest.raises(InputRefused):
        await graph.ainvoke(asked, THREAD)
    assert list(saver.list(None)) == []
    assert (await graph.aget_state(THREAD)).values == {}


async def test_a_question_that_was_written_into_the_state_is_refused_too() -> None:
    graph = find_method("bm25").build(Toolbox()).compile(checkpointer=InMemorySaver(), name="bm25")
    await graph.aupdate_state(THREAD, {"question": "long." * 10_000}, as_node="__start__")
    with pytest.raises(InputRefused, match="50,000 characters long"):
        await graph.ainvoke(None, THREAD)


@pytest.mark.parametrize("method", METHODS)
def test_a_form_holds_every_section_that_its_nodes_read(method: str) -> None:
    """A section that a method's own nodes name, and that its form has not, could not be set on a server."""
    graph = importlib.import_module(f"backtrail.graphs.{method}").graph
    shown = set((graph.get_context_jsonschema() or {})["properties"])
    own = METHODS[method].settings
    assert {"corpus", "reader", "k", "budget", "offline"} <= shown
    assert (own in shown) if own else True
    rooms = [room for room in (ROOT / "nodes").iterdir() if room.is_dir() and room.name == (own or method)]
    code = "".join(file.read_text() for room in rooms for file in room.rglob("*.py"))
    for section in {one.settings for one in METHODS.values()} | {"web"}:
        if section and f"settings.{section}." in code:
            assert section in shown, section


def test_what_may_be_chosen_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "_held", Choices(("handbook",), ("openai:gpt-5-mini",)))
    properties = forms.form_of(METHODS["fif"], Settings.model_json_schema())["properties"]
    assert properties["corpus"]["enum"] == ["handbook"]
    assert properties["reader"]["enum"] == ["offline", "openai:gpt-5-mini"]
    assert properties["corpus"]["description"]


def test_choices_are_what_the_host_names_and_no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "_held", Choices())
    policy_file().parent.mkdir(parents=True, exist_ok=True)
    for models, offered in (("'offline', 'openai:m'", ("offline", "openai:m")), ("'openai:*'", ())):
        policy_file().write_text(f"[everyone]\nmodels = [{models}]")
        look_up_choices()
        assert choices.choices().models == offered
