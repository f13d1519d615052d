"""Annotation: its decisions, the class of each question, what is left out or fails, and nothing decided twice."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import question_file, towers
from fixtures.tiny_vlm import picture

from backtrail.evals.questions import read_questions
from backtrail.rules.vqa_planner.annotate_queries import annotate_gold_query, annotate_image_query
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.state.vqa_planner.annotation_decisions import (
    ANNOTATE_GOLD_QUERY,
    ANNOTATE_IMAGE_QUERY,
    AnnotateGoldQueryInputs,
    AnnotateImageQueryInputs,
    ImageQuery,
)
from backtrail.state.vqa_planner.decisions import GoldQuery
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelUnavailable, SettingsError
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.annotator import Terms
from backtrail.training.annotate.run import FAILURES_IN_A_ROW, Annotated, Job, annotate_all, counted
from backtrail.training.errors import AnnotationsError, AnnotationStopped

MODELS = Settings(reader="learner:x", expert="expert:x", judge="judge:x")
IMAGE_QUERY, GOLD_QUERY = "What is this tower?", "When was the Tessel Tower built"


class Killed(BaseException):
    """The process ends here."""


class Models:
    """Scripted learner, expert and judge. ``right`` says which forms of a question the learner knows."""

    def __init__(self, right: set[str], **changes: Any) -> None:
        def own(inputs: Any) -> dict[str, Any]:
            form = {IMAGE_QUERY: "image"}.get(inputs.question, "gold" if GOLD_QUERY in inputs.question else "whole")
            return {"answer": "right" if form in right else "wrong", "known": True, "confidence": 0.5}

        script: dict[str, Any] = {
            "answer_alone": own,
            "annotate_gold_query": lambda inputs: {"gold_query": f"{GOLD_QUERY}, {inputs.question[-2]}?"},
            "annotate_image_query": lambda inputs: {"image_query": IMAGE_QUERY, "image_entity": "Tessel Tower"},
            "judge_answer": lambda inputs: {"score": 4 if inputs.answer == "right" else 3},
            **changes,
        }
        self.deciders = {name: ScriptedDecider(script, name=name) for name in ("learner:x", "expert:x", "judge:x")}
        self.toolbox = Toolbox(open_decider=lambda model, settings: self.deciders[model])

    def calls(self) -> list[tuple[str, str]]:
        return [(name, one.decision) for name, decider in self.deciders.items() for one in decider.history]


async def run(models: Models, job: Job) -> Annotated:
    return await annotate_all(job, models.toolbox)


def job(folder: Path, count: int = 1, **more: Any) -> Job:
    file, questions = towers(folder / "set", count)
    return Job(file, questions, folder / "out", **{"settings": MODELS, **more})


@pytest.mark.parametrize(
    ("right", "label"),
    [
        ({"whole"}, "c1"),
        ({"image"}, "c2"),
        ({"gold"}, "c3"),
        (set(), "c4"),
        ({"whole", "image", "gold"}, "c1"),
        ({"image", "gold"}, None),  # who knows both parts and not the whole
    ],
)
async def test_the_class_is_what_the_learner_lacks(right: set[str], label: str | None, tmp_path: Path) -> None:
    found = (await run(Models(right), job(tmp_path))).annotations[0]
    assert (found.outcome, found.label) == ("annotated" if label else "excluded", label)
    assert label or "right on both its parts" in found.why
    tried = {"question": "whole" in right, "image_query": "image" in right, "gold_query": "gold" in right}
    expected = {"question": True} if label == "c1" else tried
    assert {name: trial.right for name, trial in found.trials.items()} == expected


async def test_what_is_right_is_decided_by_the_threshold_and_not_to_know_is_wrong(tmp_path: Path) -> None:
    found = (await run(Models({"whole"}), job(tmp_path / "high", terms=Terms(threshold=5)))).annotations[0]
    assert found.label == "c4"
    models = Models(set(), answer_alone=lambda inputs: {"answer": "", "known": False, "confidence": 0})
    assert (await run(models, job(tmp_path))).annotations[0].label == "c4"
    assert not models.deciders["judge:x"].history


async def test_a_run_cut_anywhere_goes_on_without_repeating_a_call(tmp_path: Path) -> None:
    whole = Models({"image"})
    expected = (await run(whole, job(tmp_path / "whole", 3))).annotations
    total = len(whole.calls())
    calls = 0
    for cut in range(1, total + 2):
        models = Models({"image"})
        seen = 0

        def stopping(entry: Any) -> Any:
            def said(inputs: Any) -> Any:
                nonlocal seen
                if seen == 1:  # one call gets through in each life
                    raise Killed
                seen += 1
                return entry(inputs)

            return said

        for decider in models.deciders.values():
            decider._always = {name: stopping(entry) for name, entry in decider._always.items()}
        try:
            found = await run(models, job(tmp_path / "cut", 3))
        except BaseExceptionGroup:
            calls += seen
            continue
        calls += seen
        assert found.annotations == expected
        assert cut >= total
        break
    assert calls == total


async def test_a_torn_line_is_dropped_and_its_work_done_again(tmp_path: Path) -> None:
    await run(Models(set()), job(tmp_path, 2))
    for name in ("annotations.jsonl", "calls.jsonl"):
        file = tmp_path / "out" / name
        file.write_bytes(file.read_bytes()[:-7])
    again = Models(set())
    found = await run(again, job(tmp_path, 2))
    assert counted(found.annotations) == {"c4": 2}
    assert len(again.calls()) == 1
    idle = Models(set())
    second = await run(idle, job(tmp_path, 2))
    assert (second.done, second.annotations, second.spent) == (0, found.annotations, found.spent)
    assert not idle.calls()


async def test_a_failed_question_is_kept_with_its_reason_and_done_again_when_asked(tmp_path: Path) -> None:
    broken = Models(set(), annotate_gold_query=[DecisionFailed("annotate_gold_query", "x", "no JSON", charge(calls=3))])
    found = await run(broken, job(tmp_path))
    assert found.annotations[0].outcome == "failed"
    assert "no JSON" in found.annotations[0].why
    assert found.spent["calls"] == 5
    assert (await run(Models(set()), job(tmp_path))).annotations[0].outcome == "failed"
    mended = Models(set())
    found = await run(mended, job(tmp_path, retry_failed=True))
    assert found.annotations[0].label == "c4"
    assert ("learner:x", "answer_alone") in mended.calls()
    assert len(mended.calls()) == 6  # the answer to the question and its judge were kept


async def test_questions_that_cannot_be_used(tmp_path: Path) -> None:
    wrong: dict[str, tuple[dict[str, Any], str]] = {
        "none": ({}, "has no picture"),
        "gone": ({"image": "gone.png"}, "'gone.png' cannot be used"),
        "text": ({"image": "text.png"}, "'text.png' cannot be used"),
        "out": ({"image": "../out.png"}, "lies outside"),
        "open": ({"image": "good.png", "answers": []}, "no gold answer"),
    }
    rows = [{"id": id_, "question": "Who?", "answers": ["x"], **more} for id_, (more, _) in wrong.items()]
    (tmp_path / "out.png").write_bytes(picture())
    file = question_file(tmp_path / "set", rows, {"text.png": b"no picture", "good.png": picture()})
    models = Models(set())
    found = await run(models, Job(file, read_questions(file), tmp_path / "out", MODELS))
    assert {one.outcome for one in found.annotations} == {"failed"}
    assert [one.id for one in found.annotations if wrong[one.id][1] not in one.why] == []
    assert not models.calls()


async def test_a_model_that_is_down_ends_the_run_and_not_the_set(tmp_path: Path) -> None:
    models = Models(set(), answer_alone=lambda inputs: ModelUnavailable("connection refused"))
    with pytest.raises(AnnotationStopped, match=r"in a row.*connection refused"):
        await run(models, job(tmp_path, FAILURES_IN_A_ROW + 5))
    assert len(models.calls()) == FAILURES_IN_A_ROW


async def test_the_budget_ends_the_run_which_goes_on_with_a_higher_one(tmp_path: Path) -> None:
    def poor(calls: int) -> Settings:
        return MODELS.model_copy(update={"budget": Budget(calls=calls)})

    models = Models(set())
    with pytest.raises(SettingsError, match="--reader"):  # without a learner there is nothing to annotate
        await run(models, job(tmp_path, settings=Settings()))
    with pytest.raises(AnnotationStopped, match="budget"):
        await run(models, job(tmp_path, 2, settings=poor(11)))
    assert len(models.calls()) == 11
    rest = Models(set())
    assert counted((await run(rest, job(tmp_path, 2, settings=poor(16)))).annotations) == {"c4": 2}
    assert len(rest.calls()) == 5


async def test_annotations_of_other_models_do_not_mix(tmp_path: Path) -> None:
    await run(Models(set()), job(tmp_path))
    with pytest.raises(AnnotationsError, match=r"threshold.*--fresh"):
        await run(Models(set()), job(tmp_path, terms=Terms(threshold=3)))
    found = await run(Models(set()), job(tmp_path, terms=Terms(threshold=3), fresh=True))
    assert found.done == 1
    assert (tmp_path / "out" / "before-1" / "annotations.jsonl").is_file()


ACTOR = AnnotateGoldQueryInputs(question="What are the works of this actor?", answers=["A Play"])


@pytest.mark.parametrize(
    ("query", "problem"),
    [("What are the works of Ina Moor?", None), ("What are the works of this actor?", "says nothing"), (" ", "empty")],
)
def test_a_gold_query_stands_without_its_picture(query: str, problem: str | None) -> None:
    said = ANNOTATE_GOLD_QUERY.check(ACTOR, GoldQuery(gold_query=query))
    assert (not said) if problem is None else problem in said[0]


@pytest.mark.parametrize(
    ("query", "entity", "problem"),
    [
        ("Who is this actor?", "Ina Moor", None),
        ("Is this actor Ina Moor?", "ina moor", "names its own answer"),
        ("Who is this actor?", " ", "image_entity is empty"),
        ("", "Ina Moor", "image_query is empty"),
        ("What is this category?", "cat", None),
    ],
)
def test_an_image_query_does_not_hold_its_answer(query: str, entity: str, problem: str | None) -> None:
    inputs = AnnotateImageQueryInputs(question=ACTOR.question, gold_query="What are the works of Ina Moor?")
    said = ANNOTATE_IMAGE_QUERY.check(inputs, ImageQuery(image_query=query, image_entity=entity))
    assert (not said) if problem is None else problem in said[0]


@pytest.mark.parametrize(
    ("question", "entity", "gold", "image_query"),
    [
        (ACTOR.question, "Ina Moor", "What are the works of Ina Moor?", "Who or what is this actor?"),
        ("Where is the town hall of Varn?", "", "Where is the town hall of Varn?", "What does the picture show?"),
        ("这座桥是哪一年建成的？", "长江大桥", "长江大桥是哪一年建成的？", "这座桥是什么？"),
    ],
)
def test_rules_name_the_entity_where_a_question_points(question: str, entity: str, gold: str, image_query: str) -> None:
    completed = annotate_gold_query(AnnotateGoldQueryInputs(question=question, answers=["x"], entity=entity))
    assert completed.gold_query == gold
    asked = annotate_image_query(AnnotateImageQueryInputs(question=question, gold_query=gold, entity=entity))
    assert (asked.image_query, asked.image_entity) == (image_query, entity)
