"""Evaluations of methods that search the web: no corpus is needed, and judging goes on where it was stopped."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_searches import ScriptedSearches

from backtrail.cli.show.eval_page import eval_page
from backtrail.evals.allowance import Allowance
from backtrail.evals.earlier_runs import earlier_run, task_of
from backtrail.evals.errors import ResultsError
from backtrail.evals.questions import Question
from backtrail.evals.results import read_trails
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
    text = first.sentences[0].removeprefix("Built by ").partition(".")[0]
    return {"answer": text, "citations": [{"component": first.id}], "supported": True, "confidence": 1.0}


def scripted(
    judge: Any = None, pages: dict[str, list[str]] | None = None
) -> tuple[Toolbox, ScriptedDecider, ScriptedSearches]:
    searches = ScriptedSearches(pages or {q.question: [f"Built by Mason {q.id[1:]}."] for q in QUESTIONS})
    toolbox = Toolbox(open_searches=lambda settings: searches)
    script = {
        "answer": read_first,
        "answer_alone": lambda inputs: {"answer": "Nobody", "known": True, "confidence": 1.0},
        "judge_answer": judge or (lambda inputs: {"score": 5}),
    }
    decider = ScriptedDecider(script, costs=charge(calls=1))
    toolbox.rules = decider  # type: ignore[assignment]
    return toolbox, decider, searches


async def run(
    toolbox: Toolbox, *judgings: str, method: str = "fixed_text", asked: list[Question] = QUESTIONS, **options: Any
) -> Evaluation:
    task = custom_task(Path("-"), "nowhere")
    return await evaluate(Job(task, method, WEB, asked, judgings=judgings, **options), toolbox)


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


# --- the page of an evaluation -----------------------------------------------------------------------
SCRIPT = "<script>alert('x')</script>"
TOWERS = [
    Question(id="q0", question=f"Who built tower 0? {SCRIPT}", answers=("Mason",), tags={"type": "a"}),
    Question(id="q1", question="Who built tower 1?", answers=("Somebody",), tags={"type": "b"}),
]


async def evaluated(method: str) -> Evaluation:
    toolbox, _, _ = scripted(pages={question.question: [f"Built by Mason. {SCRIPT}"] for question in TOWERS})
    return await run(toolbox, method=method, asked=TOWERS)


class Page(HTMLParser):
    """What a browser would run and fetch, and the verdicts of each question."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts, self.fetched, self.verdicts = 0, [], []  # type: ignore[var-annotated]
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        self.scripts += tag == "script"
        self.fetched += [held[name] for name in ("src", "href") if held.get(name)]
        if tag == "article":
            self.verdicts.append(held["data-verdicts"])


async def test_each_question_is_shown_with_every_run_and_nothing_of_it_is_markup() -> None:
    done = await evaluated("fixed_text")
    text = eval_page("towers", custom_task(Path("-"), "x").scorers, [done], ["type"])
    page = Page(text)
    assert page.verdicts == ["right", "wrong"]
    assert page.scripts == 1, "that of the page itself"
    assert not page.fetched
    assert "Built by Mason. &lt;script&gt;" in text
    assert '<option value="type=a">' in text
    assert text.count("<details><summary>trail</summary>") == 2
    trails = read_trails(done.folder)
    assert set(trails) == {(question.id, question.fingerprint) for question in TOWERS}
    assert "trail" not in json.loads((done.folder / "results.jsonl").read_text().splitlines()[0])


async def test_runs_are_compared_question_by_question_and_an_earlier_one_is_called_by_its_settings() -> None:
    first = await evaluated("fixed_text")
    again, now = await evaluated("fixed_text"), await evaluated("model_alone")
    assert again.questions_run == 0, "nothing is asked again"
    settings = {**Settings().model_dump(mode="json"), "corpus": "nowhere"}
    before = earlier_run(first.folder, "custom", now.questions, settings)
    assert before.method == "fixed_text [web.provider=serper]"
    assert (before.questions_run, before.pairs) == (0, first.pairs)
    text = eval_page("towers", (), [now, before], [])
    assert 'data-differs="1"' in text
    assert "runs disagree" in text
    assert '<option value="wrong">fixed_text [web.provider=serper]: wrong</option>' in text
    assert text.count("<details><summary>trail</summary>") >= len(TOWERS), "trails outlive a resumed run"
    for task, questions, said in (("wild", now.questions, "not of 'wild'"), ("custom", (), "no result of the 0")):
        with pytest.raises(ResultsError, match=said):
            earlier_run(first.folder, task, questions, {})
    with pytest.raises(ResultsError, match="is no folder of results"):
        task_of(first.folder.parent)
