"""Forks: the past is kept and not paid for again, the original stays as it is."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_fif import ANSWER, QUESTION, ROUTES, SETTINGS, make_corpus, scripted_toolbox

from backtrail.cli.commands.fork import branch_off
from backtrail.cli.commands.running import Progress, Run, compiled, drive
from backtrail.cli.show.trace_record import Trace, read_trace
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import SettingsError


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fork")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_corpus(folder)
    return folder / "home"


@pytest.fixture(autouse=True)
def scripted_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model's name is no model's name for the command line; here it may be."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    monkeypatch.setattr("backtrail.tools.deciders.model_name.parse_model_name", lambda name: None)


async def asked(*questions: str, method: str = "fif") -> Trace:
    """The trace of a new thread on which these were asked."""
    run = Run(str(uuid.uuid4()), method, SETTINGS)
    progress = Progress(shown=False, toolbox=scripted_toolbox()[0])
    async with open_checkpoints() as saver:
        for question in questions or [QUESTION]:
            await drive(compiled(run, progress.toolbox, saver), run, {"question": question, "image": None}, progress)
    return await read_trace(run.thread)


async def forked(thread: str, step: int | str, *assignments: str) -> tuple[Trace, list[str]]:
    """The fork's trace, and the decisions that were taken for it."""
    toolbox, decider = scripted_toolbox()
    run, _ = await branch_off(thread, str(step), list(assignments), Progress(shown=False, toolbox=toolbox))
    return await read_trace(run.thread), [one.decision for one in decider.history]


async def test_a_fork_keeps_the_past_and_does_not_pay_for_it_again() -> None:
    original = await asked()
    fork, decisions = await forked(original.thread, 4)
    assert fork.thread != original.thread
    assert (fork.forked_from, fork.forked_at) == (original.thread, "4")
    assert fork.values["hops"] == original.values["hops"]
    assert decisions == [
        "fif_orchestrate", "fif_select_components", "fif_evaluate",
        "fif_orchestrate", "fif_rerank", "answer",
    ]  # fmt: skip
    assert fork.values["answer"]["text"] == ANSWER


async def test_the_original_stays_as_it_is() -> None:
    original = await asked()
    await forked(original.thread, 2, "budget.steps=3")
    assert (await read_trace(original.thread)).as_json() == original.as_json()


async def test_a_fork_may_change_settings_and_remembers_them() -> None:
    original = await asked()
    fork, _ = await forked(original.thread, 2, "budget.steps=3", "k=7")
    assert fork.values["stop_reason"] == "budget:steps"
    assert len(fork.values["ranking"]) <= 7
    assert (fork.settings.k, fork.settings.budget.steps) == (7, 3)
    assert original.settings.k == SETTINGS.k


@pytest.mark.parametrize("step", range(len(ROUTES)))
async def test_every_step_can_be_forked_at(step: int) -> None:
    original = await asked()
    fork, _ = await forked(original.thread, step)
    assert [hop["outcome"] for hop in fork.values["hops"]] == [route[-1] for route in ROUTES]


async def test_forks_reach_back_to_the_latest_question_only() -> None:
    original = await asked(QUESTION, "And its camera?")
    fork, decisions = await forked(original.thread, 0)
    assert fork.values["question"] == "And its camera? (of Triton)"
    assert "contextualize" not in decisions
    assert [message.type for message in fork.values["messages"]] == ["human", "ai", "human", "ai"]


async def test_a_fork_can_itself_be_forked() -> None:
    original = await asked()
    once, _ = await forked(original.thread, 3)
    twice, _ = await forked(once.thread, 1)
    assert twice.forked_from == once.thread
    assert twice.values["answer"] == original.values["answer"]


async def test_a_node_is_forked_at_by_name_or_within_its_step() -> None:
    original = await asked()
    fork, decisions = await forked(original.thread, "rerank")
    assert decisions == ["fif_rerank", "answer"]
    assert fork.origin == f"forked from {original.thread} at rerank"
    _, decisions = await forked(original.thread, "evaluate@4", "reader=other")
    assert decisions == ["fif_evaluate", "fif_orchestrate", "fif_rerank", "answer"]


async def test_what_does_not_exist_is_answered_with_what_does() -> None:
    original = await asked()
    with pytest.raises(SettingsError, match=r"did not come by '17'\. .*steps 0 to 5; nodes .*decompose, .*evaluate@4"):
        await forked(original.thread, 17)
    with pytest.raises(SettingsError, match=r"'evaluate' ran several times\. .*: evaluate@0, evaluate@2, evaluate@4\."):
        await forked(original.thread, "evaluate")
    with pytest.raises(SettingsError, match=r"'evaluate@3'\. .*: evaluate@0, evaluate@2, evaluate@4\."):
        await forked(original.thread, "evaluate@3")
    single = await asked(method="dense")
    with pytest.raises(SettingsError, match=r"forked at: nodes contextualize, retrieve, answer\."):
        await forked(single.thread, 0)


async def test_a_checkpoint_of_the_server_may_be_replayed_in_place() -> None:
    """What the server does for a run from a checkpoint: the same thread, a new branch, no update_state."""
    original = await asked()
    toolbox, decider = scripted_toolbox()
    async with open_checkpoints() as saver:
        graph = compiled(Run(original.thread, "fif", SETTINGS), toolbox, saver)
        place: Any = {"configurable": {"thread_id": original.thread}}
        history = [state async for state in graph.aget_state_history(place)]
        [before] = [s for s in history if s.next == ("orchestrate",) and len(s.values["hops"]) == 4]
        values = await graph.ainvoke(None, before.config, context=SETTINGS)
    assert values["answer"]["text"] == ANSWER
    assert decider.history[0].decision == "fif_orchestrate"
