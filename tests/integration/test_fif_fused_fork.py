"""Forks of FiF's fused decision: what it judged and chose is done anew from there, and the original stays."""

from __future__ import annotations

from typing import Any

import pytest
from fixtures.scripted_fif import ANSWER, QUESTION, make_corpus, scripted_toolbox
from fixtures.scripted_fused_fif import DECISIONS, ROUTES, SCRIPT, SETTINGS

from backtrail.cli.commands.fork import branch_off
from backtrail.cli.commands.running import Progress, Run, compiled, drive
from backtrail.cli.show.trace_record import Trace, read_trace
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import SettingsError

THREAD = "original"


@pytest.fixture(autouse=True)
def scripted_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model's name is no model's name for the command line; here it may be."""
    folder = tmp_path_factory.mktemp("fork")
    monkeypatch.setenv("BACKTRAIL_HOME", str(folder / "home"))
    monkeypatch.setattr("backtrail.tools.deciders.model_name.parse_model_name", lambda name: None)
    make_corpus(folder)


async def asked() -> Trace:
    run, progress = Run(THREAD, "fif", SETTINGS), Progress(shown=False, toolbox=scripted_toolbox(script=SCRIPT)[0])
    async with open_checkpoints() as saver:
        await drive(compiled(run, progress.toolbox, saver), run, {"question": QUESTION, "image": None}, progress)
    return await read_trace(THREAD)


async def forked(at: int | str, *assignments: str) -> tuple[Trace, list[str], list[Any]]:
    """The fork's trace, the decisions that were taken for it, and the steps that they judged."""
    toolbox, decider = scripted_toolbox(script=SCRIPT)
    run, _ = await branch_off(THREAD, str(at), list(assignments), Progress(shown=False, toolbox=toolbox))
    judged = [one.inputs.hop.step for one in decider.history if one.decision == "fif_advance"]
    return await read_trace(run.thread), [one.decision for one in decider.history], judged


def routes(trace: Trace) -> list[tuple[Any, ...]]:
    hops = trace.values["hops"]
    return [(hop["kind"], (hop["strategy"] or {}).get("scope"), hop["outcome"]) for hop in hops]


JUDGED = {0: [0, 1, 2, 4, 5], 1: [0, 1, 2, 4, 5], 2: [1, 2, 4, 5], 3: [2, 4, 5], 4: [2, 4, 5], 5: [4, 5], 6: [5]}
"""By the step that is chosen anew: the steps that are judged anew. Steps 3 and 4 came of one decision."""


async def test_every_step_can_be_chosen_anew_and_what_came_before_is_not_asked_again() -> None:
    original = await asked()
    for step in range(len(ROUTES)):
        fork, decisions, judged = await forked(step)
        assert judged == JUDGED[step], step
        assert decisions == DECISIONS[-len(judged) - 1 :]
        assert fork.forked_at == str(3 if step == 4 else step)
        assert routes(fork) == ROUTES
        assert fork.values["hops"] == original.values["hops"]
        assert fork.values["answer"]["text"] == ANSWER
    assert (await read_trace(THREAD)).as_json() == original.as_json()


async def test_settings_of_a_fork_hold_from_the_step_on() -> None:
    original = await asked()
    fork, decisions, _ = await forked(5, "budget.steps=5", "reader=scripted")
    assert decisions == ["fif_advance"]  # no step is left to confirm the draft in, and its writer is the reader
    assert fork.values["stop_reason"] == "budget:steps"
    assert routes(fork) == [*ROUTES[:5], ("stop", None, "failure")]
    assert fork.values["answer"]["text"] == ANSWER
    assert (await read_trace(THREAD)).as_json() == original.as_json()
    assert (original.settings.budget.steps, fork.settings.budget.steps) == (SETTINGS.budget.steps, 5)


async def test_a_node_within_a_step_is_that_of_the_hop_it_worked_for() -> None:
    await asked()
    fork, decisions, judged = await forked("traverse_documents@4", "fif.components_per_hop=2")
    assert (judged, decisions) == ([4, 5], ["fif_advance", "fif_advance", "answer"])
    assert fork.forked_at == "traverse_documents@4"
    fork, decisions, _ = await forked("answer", "reader=third")
    assert (decisions, fork.values["answer"]["text"]) == (["answer"], ANSWER)


async def test_a_step_that_was_never_taken_is_answered_with_those_that_were() -> None:
    await asked()
    with pytest.raises(SettingsError, match=r"did not come by '7'\. .*steps 0 to 6; "):
        await forked(7)
