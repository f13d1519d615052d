"""The answer's words as the model writes them, on the stream "messages", over real HTTP."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from loopback.openai_server import OpenAIServer, Received, Said, error, reply

from backtrail.graphs.methods import METHODS
from backtrail.nodes.streaming.escape_markdown import markdown
from backtrail.state.budget import Budget
from backtrail.state.settings import Settings
from backtrail.state.usage import total_usage
from backtrail.tools.toolbox import Toolbox

QUESTION = "When was Voyager 2 launched?"
TEXT = "Voyager 2 was launched on *20 August 1977*.\nNot in 1989: see www.nasa.gov/voyager."
READING: dict[str, Any] = {
    "reasoning": "The \"text\": is a trap.", "short": "20 August 1977", "text": TEXT,
    "citations": [{"component": "voyager#0", "row": None, "sentence": 0}],
    "grounds": "evidence", "supported": True, "confidence": 0.9,
}  # fmt: skip
UNKNOWN = {**READING, "text": "Voyager 2 was lost in 1989.", "citations": [{"component": "nowhere#0"}]}


@pytest.fixture(autouse=True)
def corpus(offline_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(offline_home))
    monkeypatch.setenv("BACKTRAIL_TRIES", "2")


async def asked(server: OpenAIServer, method: str = "bm25", **more: Any) -> tuple[list[Any], dict[str, Any]]:
    model = f"openai-compatible:loopback@{server.url}"
    settings = Settings(corpus="tiny", planner=model, reader=model, **more)
    graph = METHODS[method].build(Toolbox()).compile()
    parts: list[Any] = []
    values: Any = {}
    async for mode, chunk in graph.astream(
        {"question": QUESTION}, context=settings, stream_mode=["messages", "values"]
    ):
        if mode == "messages":
            parts.append(chunk[0])
        else:
            values = chunk
    return [one for one in parts if one.type != "human"], values


def words(parts: list[Any]) -> str:
    return "".join(one.content for one in parts)


async def test_the_words_come_as_they_are_written_and_together_are_the_message() -> None:
    with OpenAIServer([reply(READING)]) as server:
        parts, values = await asked(server)
    message: AIMessage = values["messages"][-1]
    assert len(parts) > len(TEXT) // 10
    assert all(isinstance(one, AIMessageChunk) for one in parts)
    assert {one.id for one in parts} == {message.id}
    assert words(parts) == message.content
    assert markdown(TEXT) in str(message.content)
    assert "trap" not in words(parts)
    assert parts[-1].additional_kwargs == message.additional_kwargs
    [sent] = server.chats
    assert sent.body["stream"] is True
    spent = total_usage(values["usage"])
    assert (spent["calls"], spent["input_tokens"], spent["output_tokens"]) == (1, 100, 20)
    assert not [note for one in values["usage"].values() for note in one.get("notes", []) if "estimated" in note]


async def test_an_unusable_reply_ends_with_the_message_that_counts() -> None:
    with OpenAIServer([reply(UNKNOWN), reply(READING)]) as server:
        parts, values = await asked(server)
    message = values["messages"][-1]
    pieces, last = parts[:-1], parts[-1]
    assert words(pieces) == "Voyager 2 was lost in"
    assert (type(last), last.id, last.content) == (AIMessage, message.id, message.content)
    assert {one.id for one in parts} == {message.id}
    assert len(server.chats) == 2


@pytest.mark.parametrize("refuses", [True, False], ids=["refuses streams", "sends the whole all the same"])
async def test_a_server_without_streams_is_asked_again_without_one_and_told_whole(refuses: bool) -> None:
    def says(request: Received) -> Said:
        refused = refuses and request.body.get("stream")
        return error(400, "stream is not supported") if refused else reply(READING)

    with OpenAIServer([says], forever=True, streams=refuses) as server:
        parts, values = await asked(server)
        assert [bool(chat.body.get("stream")) for chat in server.chats] == [True, False]
        assert [(one.id, one.content) for one in parts] == [(values["messages"][-1].id, values["messages"][-1].content)]
        await asked(server)
    assert values["answer"]["text"] == TEXT
    assert len(server.chats) == 3, "it is asked for a stream once"


async def test_a_stream_that_the_budget_cuts_ends_with_the_rules() -> None:
    with OpenAIServer([reply(READING)], pause=0.2) as server:
        parts, values = await asked(server, budget=Budget(seconds=1.0))
    message = values["messages"][-1]
    assert 0 < len(parts) < len(TEXT) // 7
    assert (type(parts[-1]), parts[-1].content) == (AIMessage, message.content)
    assert len(server.chats) == 1


async def test_fif_is_heard_where_one_decision_searches_and_answers() -> None:
    def says(request: Received) -> Said:
        answer = {key: held for key, held in READING.items() if key != "reasoning"}
        name = request.body["response_format"]["json_schema"]["name"]
        assert name == "fif_advance", name
        return reply(
            {
                "reasoning": "", "success": True, "relevant": ["voyager#0"], "why": "It is said.", "findings": [],
                "new_subqueries": [], "answer": answer, "unverified": [], "action": None,
            }
        )  # fmt: skip

    with OpenAIServer([says], forever=True) as server:
        parts, values = await asked(server, "fif")
    message = values["messages"][-1]
    assert len(parts) > len(TEXT) // 10
    assert words(parts) == message.content
    assert {one.id for one in parts} == {message.id}
    assert len(server.chats) == 1
