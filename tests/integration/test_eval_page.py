"""The page of an evaluation: trails are kept, what others wrote is escaped, nothing is loaded from elsewhere."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fixtures.scripted_searches import ScriptedSearches

from backtrail.cli.show.eval_page import eval_page
from backtrail.evals.earlier_runs import earlier_run, task_of
from backtrail.evals.errors import ResultsError
from backtrail.evals.questions import Question
from backtrail.evals.results import read_trails
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.tasks.custom import custom_task
from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

SCRIPT = "<script>alert('x')</script>"
QUESTIONS = [
    Question(id="q0", question=f"Who built tower 0? {SCRIPT}", answers=("Mason",), tags={"type": "a"}),
    Question(id="q1", question="Who built tower 1?", answers=("Somebody",), tags={"type": "b"}),
]


async def evaluated(method: str) -> Evaluation:
    searches = ScriptedSearches({question.question: [f"Built by Mason. {SCRIPT}"] for question in QUESTIONS})
    toolbox = Toolbox(open_searches=lambda settings: searches)
    read = {"answer": "Mason", "citations": [], "supported": True, "confidence": 1.0}
    toolbox.rules = ScriptedDecider(
        {
            "answer": lambda inputs: {**read, "citations": [{"component": inputs.evidence[0].id}]},
            "answer_alone": lambda inputs: {"answer": "Nobody", "known": True, "confidence": 1.0},
        }
    )  # type: ignore[assignment]
    settings = Settings(corpus="nowhere", web=WebSettings(provider="serper"))
    return await evaluate(Job(custom_task(Path("-"), "nowhere"), method, settings, QUESTIONS), toolbox)


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
    assert set(trails) == {(question.id, question.fingerprint) for question in QUESTIONS}
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
    assert text.count("<details><summary>trail</summary>") >= len(QUESTIONS), "trails outlive a resumed run"
    for task, questions, said in (("wild", now.questions, "not of 'wild'"), ("custom", (), "no result of the 0")):
        with pytest.raises(ResultsError, match=said):
            earlier_run(first.folder, task, questions, {})
    with pytest.raises(ResultsError, match="is no folder of results"):
        task_of(first.folder.parent)
