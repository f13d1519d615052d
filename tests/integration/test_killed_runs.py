"""A run that is killed resumes to the same end, and no answered decision or finished search is made again."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures import (
    scripted_cogplanner,
    scripted_fif,
    scripted_fused_fif,
    scripted_gathering,
    scripted_hm_rag,
    scripted_mmapg,
    scripted_vqa,
)
from fixtures.killed_runs import KilledRun
from fixtures.planning_corpus import FEW, make_planning_corpus


@dataclass(frozen=True)
class Case:
    """A scripted run: how it is driven, over which corpus, and after how many super-steps or tasks it is killed."""

    target: Callable[..., None]
    answer: str
    points: tuple[int, int, int]
    corpus: Callable[[Path], Any] = lambda folder: None
    setup: tuple[Any, ...] = ()
    stride: int = 1
    at_once: int = 0
    """Calls under way when it is killed, at most; they are made again."""


VQA = {"target": scripted_vqa.run_in_process, "answer": scripted_vqa.ANSWER, "points": (2, 4, 6)}
PLANNER = {"target": scripted_cogplanner.run_in_process, "answer": scripted_cogplanner.ANSWER}
CASES = {
    "fif": Case(scripted_fif.run_in_process, scripted_fif.ANSWER, (2, 14, 25), scripted_fif.make_corpus),
    "fused": Case(scripted_fused_fif.run_in_process, scripted_fif.ANSWER, (2, 14, 25), scripted_fif.make_corpus),
    "gathering": Case(
        scripted_gathering.run_in_process, scripted_gathering.ANSWER, (2, 8, 9), scripted_fif.make_corpus
    ),
    "sequential": Case(**PLANNER, points=(2, 9, 17), setup=("sequential",)),
    "parallel": Case(**PLANNER, points=(3, 9, 14), setup=("parallel",)),
    "vqa_planner": Case(**VQA, setup=("vqa_planner",)),
    "omnisearch": Case(**VQA, setup=("omnisearch",)),
    "hm_rag": Case(
        scripted_hm_rag.run_in_process, scripted_hm_rag.ANSWER, (3, 19, 32),
        lambda folder: make_planning_corpus(rows=FEW), stride=14, at_once=6,
    ),
    "mmapg": Case(
        scripted_mmapg.run_in_process, scripted_mmapg.ANSWER, (5, 14, 40),
        lambda folder: make_planning_corpus(rows=FEW), stride=8, at_once=2,
    ),
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture(scope="module")
def again(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], KilledRun]:
    folder = tmp_path_factory.mktemp("killed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        case.corpus(folder)
    return lambda: KilledRun(case.target, folder / "home", tmp_path_factory.mktemp("run"), *case.setup)


@pytest.fixture(scope="module")
def undisturbed(case: Case, again: Callable[[], KilledRun]) -> KilledRun:
    runner = again()
    assert runner.run() == 0
    assert runner.values["answer"]["text"] == case.answer
    return runner


def ended_as(undisturbed: KilledRun, runner: KilledRun, case: Case) -> None:
    assert runner.values == undisturbed.values
    assert runner.again(undisturbed).total() <= case.at_once
    assert not undisturbed.again(runner)
    if undisturbed.log.with_suffix(".searches").exists():
        assert sorted(runner.searched()) == sorted(undisturbed.searched())


@pytest.mark.parametrize("point", [0, 1, 2], ids=["early", "middle", "late"])
def test_a_killed_run_ends_as_the_undisturbed_one(
    case: Case, again: Callable[[], KilledRun], undisturbed: KilledRun, point: int
) -> None:
    runner, step = again(), case.points[point]
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    ended_as(undisturbed, runner, case)
    if case.stride == 1:
        assert runner.outcome["steps"] == undisturbed.outcome["steps"] - step


@pytest.mark.parametrize(
    "case",
    [name if name in ("fused", "gathering", "mmapg") else pytest.param(name, marks=pytest.mark.long) for name in CASES],
    indirect=True,
)
def test_a_run_that_is_killed_at_every_step_ends_alike(
    case: Case, again: Callable[[], KilledRun], undisturbed: KilledRun
) -> None:
    runner, deaths = again(), 0
    while runner.run(die_after=case.stride) == -9:
        deaths += 1
        assert deaths < undisturbed.outcome["steps"]
    assert runner.values == undisturbed.values
    if case.stride == 1:
        assert deaths == undisturbed.outcome["steps"] - 1
        ended_as(undisturbed, runner, case)


@pytest.mark.parametrize("case", ["fused"], indirect=True)
def test_the_fused_run_takes_every_turn_that_is_killed_above(undisturbed: KilledRun) -> None:
    assert undisturbed.calls() == scripted_fused_fif.DECISIONS
    hops = undisturbed.values["hops"]
    turns = [(hop["kind"], (hop["strategy"] or {}).get("scope"), hop["outcome"]) for hop in hops]
    assert turns == scripted_fused_fif.ROUTES
    assert undisturbed.values["draft"]["unverified"] == []


@pytest.mark.parametrize("case", ["sequential", "parallel"], indirect=True)
def test_killed_among_searches_only_the_unfinished_one_is_made_again(
    again: Callable[[], KilledRun], undisturbed: KilledRun
) -> None:
    runner = again()
    assert runner.run(die_in="search") == -9
    assert scripted_cogplanner.ARCHITECT in runner.searched()
    assert scripted_cogplanner.YEAR not in runner.searched()  # it died before it was answered
    assert runner.run() == 0
    assert runner.searched().count(scripted_cogplanner.ARCHITECT) == 1
    assert runner.values == undisturbed.values


@pytest.mark.parametrize("case", ["parallel"], indirect=True)
def test_killed_in_one_branch_the_other_is_kept(again: Callable[[], KilledRun], undisturbed: KilledRun) -> None:
    runner = again()
    assert runner.run(die_in="route") == -9
    before = runner.calls()
    assert (before.count("cogplanner_reformulate"), before.count("cogplanner_route")) == (2, 2)
    assert runner.run() == 0
    after = runner.calls()
    assert after.count("cogplanner_reformulate") == 3  # one a round: the finished branch is not asked again
    assert after.count("cogplanner_route") == 4
    assert runner.values == undisturbed.values


@pytest.mark.parametrize("case", ["hm_rag"], indirect=True)
def test_killed_within_the_fan_out_only_the_unfinished_agents_run_again(
    again: Callable[[], KilledRun], undisturbed: KilledRun
) -> None:
    runner = again()
    assert runner.run(hold_web=True) == -9
    first = {process for process, _ in runner.calls_by_process()}
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    resumed = Counter(name for process, name in runner.calls_by_process() if process not in first)
    # The web's two searches and readings; the graph and the vectors are asked nothing any more.
    assert resumed["search"] == 2
    assert resumed["hm_rag_keywords"] == 0
    assert resumed["hm_rag_read"] == 2 + 3  # and one combination for each source
    assert not {"retrieve", "keywords", "explore"} & set(runner.outcome["tasks"])
