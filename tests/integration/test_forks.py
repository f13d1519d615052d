"""Forks of every method: the past is kept, the rest runs anew, and a changed setting has its effect."""

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fixtures import (
    scripted_cogplanner,
    scripted_fif,
    scripted_fused_fif,
    scripted_hm_rag,
    scripted_mmapg,
    scripted_vqa,
)
from fixtures.forked_processes import exit_code
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_pages import ScriptedPages
from fixtures.scripted_searches import stored_picture

from backtrail.cli.commands.fork import branch_off
from backtrail.cli.commands.run_graph import Progress, Run, compiled, drive
from backtrail.cli.show.trace_record import Trace, list_threads, read_trace
from backtrail.graphs.methods import METHODS
from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.checkpoints.open import URL_VARIABLE, open_checkpoints
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.errors import SettingsError
from backtrail.tools.toolbox import Toolbox

PAID = WebSettings(provider="serper")
"""Searches are scripted; named so, they need no corpus."""


@pytest.fixture(autouse=True)
def scripts_are_models(few_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model's name is no model's name for the command line; here it may be."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(few_home))
    monkeypatch.setattr("backtrail.tools.deciders.model_name.parse_model_name", lambda name: None)


@dataclass(frozen=True)
class Scripted:
    """A method with a question, and how to open a toolbox that counts what it is asked."""

    method: str
    settings: Settings
    asked: Callable[[], dict[str, Any]]
    open: Callable[[], tuple[Toolbox, Callable[[], list[str]]]]


def opens(toolbox: Callable[..., Any], **script: Any) -> Callable[[], tuple[Toolbox, Callable[[], list[str]]]]:
    def opened() -> tuple[Toolbox, Callable[[], list[str]]]:
        made, deciders, *searches = toolbox(**script)
        several = deciders.values() if isinstance(deciders, dict) else [deciders]
        return made, lambda: [
            *(one.decision for decider in several for one in decider.history),
            *(kind for found in searches for kind, _ in found.asked),
        ]

    return opened


def with_picture(question: str) -> Callable[[], dict[str, Any]]:
    return lambda: {"question": question, "image": stored_picture(7)}


MMAPG, HM_RAG = (
    Scripted(name, module.SETTINGS, lambda module=module: {"question": module.QUESTION}, opens(module.scripted_toolbox))
    for name, module in (("mmapg", scripted_mmapg), ("hm_rag", scripted_hm_rag))
)
VQA, OMNI = (
    Scripted(
        name, scripted_vqa.SETTINGS.model_copy(update={"web": PAID}), with_picture(scripted_vqa.QUESTION),
        opens(scripted_vqa.scripted_toolbox),
    )
    for name in ("vqa_planner", "omnisearch")
)  # fmt: skip
SEQUENTIAL, PARALLEL = (
    Scripted(
        "cogplanner", scripted_cogplanner.settings_for(paradigm).model_copy(update={"web": PAID}),
        with_picture(scripted_cogplanner.QUESTION), opens(scripted_cogplanner.scripted_toolbox),
    )
    for paradigm in ("sequential", "parallel")
)  # fmt: skip
FIF = Scripted(
    "fif", scripted_fif.SETTINGS, lambda: {"question": scripted_fif.QUESTION, "image": None},
    opens(scripted_fif.scripted_toolbox),
)  # fmt: skip
FUSED = replace(
    FIF,
    settings=scripted_fused_fif.SETTINGS,
    open=opens(scripted_fif.scripted_toolbox, script=scripted_fused_fif.SCRIPT),
)
SCRIPTED = {
    "mmapg": MMAPG, "hm_rag": HM_RAG, "vqa": VQA, "omnisearch": OMNI, "sequential": SEQUENTIAL, "parallel": PARALLEL,
    "fif": FIF, "fused": FUSED,
}  # fmt: skip


async def asked(scripted: Scripted, *then: dict[str, Any]) -> tuple[Trace, Counter[str]]:
    """The trace of a new thread, and how often each decision and search was asked for."""
    toolbox, calls = scripted.open()
    run = Run(str(uuid.uuid4()), scripted.method, scripted.settings)
    async with open_checkpoints() as saver:
        graph = compiled(run, toolbox, saver)
        for question in (scripted.asked(), *then):
            await drive(graph, run, question, Progress(shown=False, toolbox=toolbox))
    return await read_trace(run.thread), Counter(calls())


ORIGINALS: dict[int, tuple[Trace, Counter[str]]] = {}


async def first(scripted: Scripted) -> tuple[Trace, Counter[str]]:
    """The same for one of ``SCRIPTED``, asked by the first test: forks leave a thread as it is."""
    if id(scripted) not in ORIGINALS:
        ORIGINALS[id(scripted)] = await asked(scripted)
    return ORIGINALS[id(scripted)]


async def forked(scripted: Scripted, thread: str, at: str, *assignments: str) -> tuple[Trace, Counter[str]]:
    """The fork's trace, and what it asked for."""
    toolbox, calls = scripted.open()
    run, _ = await branch_off(thread, at, list(assignments), Progress(shown=False, toolbox=toolbox))
    return await read_trace(run.thread), Counter(calls())


def lasting(trace: Trace) -> dict[str, Any]:
    """The state without what differs from run to run: ids of messages, and times."""
    kept = {key: value for key, value in trace.values.items() if key not in ("messages", "tasks", "task")}
    kept["usage"] = {
        key: {name: value for name, value in charge.items() if name != "seconds"}
        for key, charge in kept["usage"].items()
    }
    kept["searches"] = [{**search, "seconds": 0} for search in kept.get("searches", [])]
    return kept


@pytest.mark.parametrize("name", SCRIPTED)
async def test_forked_anywhere_a_run_ends_alike_and_pays_for_the_rest_alone(
    name: str, request: pytest.FixtureRequest
) -> None:
    scripted = SCRIPTED[name]
    if scripted in (FIF, FUSED):
        request.getfixturevalue("in_tiny_home")
    original, paid = await first(scripted)
    points = original.fork_points
    left = Counter(paid)
    for point in (*points.points[:: max(1, len(points.points) // 3)], points.points[-1]):
        fork, again = await forked(scripted, original.thread, points.name(point))
        assert lasting(fork) == lasting(original)
        assert again <= left  # the later the point, the less is done anew
        left = again
    assert left.total() <= 1
    assert (await read_trace(original.thread)).as_json() == original.as_json()


@pytest.mark.parametrize("method", sorted(METHODS.keys() - {scripted.method for scripted in SCRIPTED.values()}))
async def test_every_other_method_is_forked_at_each_of_its_nodes(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    toolbox = Toolbox(open_corpus=lambda name: corpus, open_pages=ScriptedPages.of(corpus))
    offline = Scripted(
        method, Settings(corpus="tiny"), lambda: {"question": "When was Voyager 2 launched?"},
        lambda: (toolbox, lambda: []),
    )  # fmt: skip
    original, _ = await asked(offline)
    points = original.fork_points
    latest = {node: points.name(point) for point in points.points for node in point.nodes}
    for name in dict.fromkeys(latest.values()):
        fork, _ = await forked(offline, original.thread, name)
        assert lasting(fork) == lasting(original)
        assert fork.forked_at == name


# --- FiF -------------------------------------------------------------------------------------------
async def test_a_fork_may_change_settings_and_remembers_them(in_tiny_home: None) -> None:
    original, _ = await first(FIF)
    fork, again = await forked(FIF, original.thread, "2", "budget.steps=3", "k=7")
    assert (fork.forked_from, fork.forked_at, again["fif_decompose"]) == (original.thread, "2", 0)
    assert fork.values["stop_reason"] == "budget:steps"
    assert len(fork.values["ranking"]) <= 7
    assert (fork.settings.k, fork.settings.budget.steps) == (7, 3)
    assert original.settings.k == scripted_fif.SETTINGS.k


async def test_forks_reach_back_to_the_latest_question_only(in_tiny_home: None) -> None:
    original, _ = await asked(FIF, {"question": "And its camera?", "image": None})
    fork, again = await forked(FIF, original.thread, "0")
    assert fork.values["question"] == "And its camera? (of Triton)"
    assert "contextualize" not in again
    assert [message.type for message in fork.values["messages"]] == ["human", "ai", "human", "ai"]


async def test_a_node_is_forked_at_by_name_or_within_its_step(in_tiny_home: None) -> None:
    original, _ = await first(FIF)
    fork, again = await forked(FIF, original.thread, "rerank")
    assert again == Counter(fif_rerank=1, answer=1)
    assert fork.origin == f"forked from {original.thread} at rerank"
    _, again = await forked(FIF, original.thread, "evaluate@4", "reader=other")
    assert again == Counter(fif_evaluate=1, fif_orchestrate=1, fif_rerank=1, answer=1)


async def test_what_does_not_exist_is_answered_with_what_does(in_tiny_home: None) -> None:
    original, _ = await first(FIF)
    with pytest.raises(SettingsError, match=r"no step or node '17'\. .*steps 0 to 5; nodes .*decompose, .*evaluate@4"):
        await forked(FIF, original.thread, "17")
    with pytest.raises(SettingsError, match=r"'evaluate' ran several times\. .*: evaluate@0, evaluate@2, evaluate@4\."):
        await forked(FIF, original.thread, "evaluate")
    with pytest.raises(SettingsError, match=r"'evaluate@3'\. .*: evaluate@0, evaluate@2, evaluate@4\."):
        await forked(FIF, original.thread, "evaluate@3")
    single, _ = await asked(replace(FIF, method="dense"))
    with pytest.raises(SettingsError, match=r"forked at: nodes contextualize, retrieve, answer\."):
        await forked(FIF, single.thread, "0")


async def test_a_step_of_the_fused_decision_is_chosen_anew(in_tiny_home: None) -> None:
    original, _ = await first(FUSED)
    for step, judged in {0: 5, 3: 3, 4: 3, 6: 1}.items():  # steps 3 and 4 came of one decision
        fork, again = await forked(FUSED, original.thread, str(step))
        assert again == Counter(fif_advance=judged, answer=1)
        assert fork.forked_at == str(3 if step == 4 else step)
        assert fork.values["hops"] == original.values["hops"]
    fork, again = await forked(FUSED, original.thread, "5", "budget.steps=5", "reader=scripted")
    assert again == Counter(fif_advance=1)  # no step is left to confirm the draft in, and its writer is the reader
    assert (fork.values["stop_reason"], fork.values["answer"]["text"]) == ("budget:steps", scripted_fif.ANSWER)
    assert fork.values["hops"][:5] == original.values["hops"][:5]
    _, again = await forked(FUSED, original.thread, "traverse_documents@4", "fif.components_per_hop=2")
    assert again == Counter(fif_advance=2, answer=1)
    with pytest.raises(SettingsError, match=r"no step or node '7'\. .*steps 0 to 6; "):
        await forked(FUSED, original.thread, "7")


# --- other methods ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("scripted", "at", "changed", "paid"),
    [
        (MMAPG, "n7", "mmapg.turns=6", {"answer": 1}),  # from the graph so far; nobody is asked to plan
        (HM_RAG, "vote", "hm_rag.decision_agent=false", {}),
        (VQA, "choose_path", "vqa_planner.path=image", {"image-by-picture": 1, "answer": 1}),
    ],
    ids=["mmapg", "hm_rag", "vqa_planner"],
)
async def test_a_method_is_forked_where_its_page_says(
    scripted: Scripted, at: str, changed: str, paid: dict[str, int]
) -> None:
    original, _ = await first(scripted)
    _, again = await forked(scripted, original.thread, at, changed)
    assert again == paid
    with pytest.raises(SettingsError, match="no step or node 'n99'"):
        await forked(scripted, original.thread, "n99")


async def test_a_fork_is_forked_and_the_list_counts_its_steps() -> None:
    original, _ = await first(OMNI)
    once, _ = await forked(OMNI, original.thread, "3")
    twice, again = await forked(OMNI, once.thread, "2")
    assert lasting(twice) == lasting(original)
    assert again["omnisearch_think"] == 3
    assert twice.origin == f"forked from {once.thread} at turn 2"
    lines = {line["thread_id"]: line["steps"] for line in await list_threads(1000)}
    assert lines[twice.thread] == lines[original.thread] == len(original.values["turns"])


# --- runs that were killed -------------------------------------------------------------------------
def killed(run_in_process: Callable[..., None], home: Path, folder: Path, *how: Any) -> str:
    """The thread of a run whose process was killed."""
    thread = str(uuid.uuid4())
    arguments = (str(home), str(folder / "calls.jsonl"), str(folder / "result.json"), thread, *how)
    assert exit_code(run_in_process, *arguments) == -9
    return thread


async def test_a_run_killed_among_its_agents_is_forked_before_them(few_home: Path, tmp_path: Path) -> None:
    undisturbed, paid = await first(HM_RAG)
    thread = killed(scripted_hm_rag.run_in_process, few_home, tmp_path, None, True)
    stopped = await read_trace(thread)
    assert stopped.next == ("vector", "graph", "web") * 2  # those that are done belong to a step that is not
    fork, again = await forked(HM_RAG, thread, "web")
    assert lasting(fork) == lasting(undisturbed)
    assert again["hm_rag_read"] == paid["hm_rag_read"]  # side by side with the web's: all agents anew
    earlier, again = await forked(HM_RAG, thread, "divide")
    assert lasting(earlier) == lasting(undisturbed)
    assert again["hm_rag_judge"] == 0
    assert (await read_trace(thread)).as_json() == stopped.as_json()


# --- another store ---------------------------------------------------------------------------------
async def test_agents_side_by_side_are_forked_in_postgres_too(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, postgres_url)
    original, _ = await asked(HM_RAG)
    fork, _ = await forked(HM_RAG, original.thread, "vector")
    assert lasting(fork) == lasting(original)
