"""Evaluations of methods that search the web: no corpus is needed, and judging goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_searches import ScriptedSearches

from backtrail.evals.allowance import Allowance
from backtrail.evals.questions import Question
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.scorers.judged import judge_score
from backtrail.evals.tasks.custom import custom_task
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

WEB = Settings(corpus="nowhere", web=WebSettings(provider="serper"))
QUESTIONS = [Question(id=f"q{n}", question=f"Who built tower {n}?", answers=(f"Mason {n}",)) for n in range(3)]


def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    text = first.sentences[0].removeprefix("Built by ").rstrip(".")
    return {"answer": text, "citations": [{"component": first.id}], "supported": True, "confidence": 1.0}


def scripted(judge: Any = None) -> tuple[Toolbox, ScriptedDecider, ScriptedSearches]:
    searches = ScriptedSearches({q.question: [f"Built by Mason {q.id[1:]}."] for q in QUESTIONS})
    toolbox = Toolbox(open_searches=lambda settings: searches)
    decider = ScriptedDecider(
        {"answer": read_first, "judge_answer": judge or (lambda inputs: {"score": 5})}, costs=charge(calls=1)
    )
    toolbox.rules = decider  # type: ignore[assignment]
    return toolbox, decider, searches


async def run(toolbox: Toolbox, *judgings: str, method: str = "fixed_text", **options: Any) -> Evaluation:
    task = custom_task(Path("-"), "nowhere")
    return await evaluate(Job(task, method, WEB, QUESTIONS, judgings=judgings, **options), toolbox)


async def test_a_method_that_searches_the_web_needs_no_corpus_and_its_searches_are_kept() -> None:
    toolbox, _, searches = scripted()
    done = await run(toolbox)
    assert all(outcome.error is None for _, outcome in done.pairs)
    assert [outcome.answer for _, outcome in done.pairs] == ["Mason 0", "Mason 1", "Mason 2"]
    kept = done.pairs[0][1].planned.searches
    assert kept is not None
    assert kept["text"].searches == 1
    assert kept["text"].requests == 1
    assert len(searches.asked) == 3
    assert json.loads((done.folder / "run.json").read_text())["corpus_version"] == "web:serper"


class Killed(BaseException):
    """What a kill looks like from within: nothing catches it."""


async def test_an_evaluation_killed_while_it_judges_pays_for_no_answer_twice() -> None:
    def dies_at_the_second(inputs: Any) -> dict[str, Any]:
        if "tower 1" in inputs.question:
            raise Killed
        return {"score": 5}

    toolbox, _, searches = scripted(dies_at_the_second)
    with pytest.raises(BaseExceptionGroup):
        await run(toolbox, "grade")
    assert [query for _, query in searches.asked] == [question.question for question in QUESTIONS[:2]]

    toolbox, decider, searches = scripted()
    done = await run(toolbox, "grade")
    assert [query for _, query in searches.asked] == [QUESTIONS[2].question]
    graded = [asked.inputs.question for asked in decider.history if asked.decision == "judge_answer"]  # type: ignore[attr-defined]
    assert graded == [question.question for question in QUESTIONS[1:]]
    assert [judge_score()(*pair) for pair in done.pairs] == [1.0, 1.0, 1.0]


async def test_an_allowance_stops_asking_before_it_is_overdrawn_and_the_next_run_goes_on() -> None:
    toolbox, decider, _ = scripted()
    decider._costs = charge(calls=1, cost_usd=0.4)  # type: ignore[attr-defined]
    allowance = Allowance(1.0)
    done = await run(toolbox, allowance=allowance)
    assert (len(done.pairs), len(done.questions)) == (2, 3), "a third could bring it to 1.20"
    assert allowance.used_up
    assert allowance.spent == pytest.approx(0.8)
    again = await run(toolbox, allowance=Allowance(1.0))
    assert (again.questions_run, len(again.pairs)) == (1, 3)
