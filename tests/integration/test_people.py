"""Runs that ask people before they go on, and wait for their replies, over restarts and with nothing paid twice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_fif import ANSWER, QUESTION, SETTINGS, scripted_toolbox
from langgraph.types import Command
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.graphs.methods import METHODS
from backtrail.nodes.streaming.small_talk import NOT_SEARCHED
from backtrail.state.chat.settings import HumanInputSettings
from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.toolbox import Toolbox

CONFIG: Any = {"configurable": {"thread_id": "t"}}
PARTS = ["Which craft visited Triton?", "When was Voyager 2 launched?"]
DIVIDED = {"fif_decompose": lambda inputs: {"subqueries": [{"text": text} for text in PARTS]}}


@pytest.fixture(autouse=True)
def tiny_corpus(tiny_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))
    monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", str(tmp_path / "checkpoints.sqlite"))


@pytest.fixture
def offline(offline_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(offline_home))
    monkeypatch.setenv("BACKTRAIL_CORPUS", "tiny")


@asynccontextmanager
async def process(toolbox: Toolbox | None = None, method: str = "fif") -> AsyncIterator[Any]:
    """The graph as a new process opens it: everything but the checkpoints is made anew."""
    async with open_checkpoints() as saver:
        yield METHODS[method].build(toolbox or scripted_toolbox(script=DIVIDED)[0]).compile(checkpointer=saver)


def people(**asked: Any) -> Settings:
    return SETTINGS.model_copy(update={"human": HumanInputSettings(**asked)})


async def run(graph: Any, sent: Any, settings: Settings) -> dict[str, Any]:
    return await graph.ainvoke(sent, CONFIG, context=settings, durability="sync")


def asked_of(values: dict[str, Any]) -> str:
    [one] = values["__interrupt__"]
    return one.value["topic"]


@pytest.mark.parametrize(
    ("replied", "planned"),
    [
        ("yes", PARTS),
        (["Which craft visited Triton?", QUESTION], ["Which craft visited Triton?", QUESTION]),
        (
            {"decisions": [{"type": "edit", "edited_action": {"name": "plan", "args": {"plan": [QUESTION]}}}]},
            [QUESTION],
        ),
        ("no", [QUESTION]),
    ],
)
async def test_a_plan_is_approved_edited_or_dropped_after_a_restart(replied: Any, planned: list[str]) -> None:
    settings, (toolbox, decider) = people(plan=True), scripted_toolbox(script=DIVIDED)
    async with process(toolbox) as graph:
        assert asked_of(await run(graph, {"question": QUESTION}, settings)) == "plan"
    assert [one.decision for one in decider.history] == ["fif_decompose"]
    again, later = scripted_toolbox(script=DIVIDED)
    async with process(again) as graph:
        values = await run(graph, Command(resume=replied), settings)
    assert "__interrupt__" not in values
    assert ANSWER in values["answer"]["text"]
    assert [one["text"] for one in values["subqueries"] if one["planned_at"] == 0][: len(planned)] == planned
    assert "fif_decompose" not in [one.decision for one in later.history], "what was paid for is not asked again"


async def test_a_reply_that_decides_nothing_is_asked_again() -> None:
    async with process() as graph:
        await run(graph, {"question": QUESTION}, people(plan=True))
        values = await run(graph, Command(resume=""), people(plan=True))
        assert "decides nothing" in values["__interrupt__"][0].value["action_requests"][0]["description"]
        assert ANSWER in (await run(graph, Command(resume="yes"), people(plan=True)))["answer"]["text"]


@pytest.mark.parametrize(("replied", "stopped"), [("yes", "stop"), ("no", "budget:calls")])
async def test_spending_beyond_a_sum_is_asked_for(replied: str, stopped: str) -> None:
    settings, (toolbox, decider) = people(calls=2), scripted_toolbox()
    async with process(toolbox) as graph:
        values = await run(graph, {"question": QUESTION}, settings)
        assert asked_of(values) == "spend"
        before = len(decider.history)
        assert values["__interrupt__"][0].value["action_requests"][0]["args"]["calls"] >= 2
        values = await run(graph, Command(resume=replied), settings)
    assert values["stop_reason"] == stopped
    assert values["answer"]["text"]
    assert (len(decider.history) > before) is (replied == "yes")


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    "reply", [Command(resume="Voyager 2"), {"messages": [("user", "Voyager 2")]}], ids=["resumed", "next message"]
)
async def test_a_question_that_points_at_nothing_is_asked_back(reply: Any) -> None:
    settings = Settings(corpus="tiny", human=HumanInputSettings(question=True))
    async with process(Toolbox()) as graph:
        values = await run(graph, {"messages": [("user", "When was it launched?")]}, settings)
        assert asked_of(values) == "question"
        assert '"it"' in values["__interrupt__"][0].value["action_requests"][0]["description"]
    async with process(Toolbox()) as graph:
        values = await run(graph, reply, settings)
        assert values["question"] == "When was Voyager 2 launched?"
        assert "__interrupt__" not in values
        if isinstance(reply, Command):
            assert [message.type for message in values["messages"]] == ["human", "ai"]
        clear = {"question": "When was Voyager 2 launched, and what did its camera weigh?"}
        assert "__interrupt__" not in await run(graph, clear, settings)


async def test_the_web_is_not_searched_against_the_will_of_who_asks() -> None:
    web = WebSettings(provider="serper")
    settings = SETTINGS.model_copy(update={"human": HumanInputSettings(web=True), "web": web})
    async with process(Toolbox(), "cogplanner") as graph:
        values = await run(graph, {"question": QUESTION}, settings)
        assert asked_of(values) == "web"
        values = await run(graph, Command(resume="no"), settings)
    assert values["messages"][-1].content == NOT_SEARCHED
    assert values["usage"] == {}


@pytest.mark.usefixtures("offline")
def test_the_command_line_says_what_is_asked_and_takes_the_reply() -> None:
    waiting = CliRunner().invoke(app, ["ask", "When was it launched?", "--set", "human.question=true"])
    assert 'What does "it" stand for' in waiting.stderr
    thread = waiting.stderr.partition("backtrail resume ")[2].split()[0]
    ended = CliRunner().invoke(app, ["resume", thread, "--reply", "Voyager 2"])
    assert "20 August 1977" in ended.stdout
    nothing = CliRunner().invoke(app, ["resume", thread, "--reply", "yes"])
    assert nothing.exit_code == 0, "a finished run shows its answer"
