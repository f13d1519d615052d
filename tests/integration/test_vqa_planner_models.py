"""The VQA planner asking real chat clients over HTTP: letters, other replies, and who sees the picture."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.scripted_vqa import GOLD, PAGE, PAGES, PICTURES, QUESTION
from loopback.openai_server import OpenAIServer, Received, Said, error, reply

from backtrail.graphs.vqa_planner import build
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from backtrail.training.planner_prompt import planner_prompt


def answering(option: object) -> Any:
    """A server's replies by what it is asked for: the path, the query, the answer."""

    def said(request: Received) -> Said:
        if "exactly one letter" in request.text:
            return reply(option)
        if "one query for a web search engine" in request.text:
            return reply({"gold_query": GOLD})
        offered = re.findall(r'"(web:[^"]+)"', request.text)
        citations = [{"component": offered[0], "row": None, "sentence": None}]
        return reply({"answer": "1931", "citations": citations, "supported": True, "confidence": 0.9})

    return said


async def ask(said: Callable[[Received], Said]) -> tuple[dict[str, Any], list[Received], ScriptedSearches]:
    searches = ScriptedSearches(PAGES, PICTURES)
    with OpenAIServer([said], forever=True) as server:
        model = f"openai-compatible:any@{server.url}"
        values = await build(Toolbox(open_searches=lambda settings: searches)).compile().ainvoke(
            {"question": QUESTION, "image": stored_picture(7)},
            context=Settings(planner=model, reader=model, variant="published"),
        )  # fmt: skip
        return values, list(server.chats), searches


async def test_one_letter_settles_the_path_and_every_call_sees_the_picture() -> None:
    values, chats, searches = await ask(answering({"option": "D", "why": "unknown bridge"}))
    assert values["path"]["option"] == values["path"]["planned"] == "D"
    assert searches.asked == [("image-by-picture", PICTURE), ("text", GOLD)]
    assert [len(chat.images) > 0 for chat in chats] == [True, True, True]
    assert PAGE.partition(": ")[2] in chats[2].text
    assert values["answer"]["text"] == "1931"
    assert values["failures"] == []


def with_logprobs(text: str, tokens: list[tuple[str, dict[str, float]]]) -> Said:
    """A reply whose tokens say how likely their rivals were."""
    content = [
        {
            "token": token,
            "bytes": None,
            "logprob": math.log(shares[token]),
            "top_logprobs": [
                {"token": other, "bytes": None, "logprob": math.log(share)} for other, share in shares.items()
            ],
        }
        for token, shares in tokens
    ]
    body = json.loads(reply(text).body)
    body["choices"][0]["logprobs"] = {"content": content, "refusal": None}
    return Said(json.dumps(body).encode())


def planning(said: Callable[[Received], Said]) -> Any:
    """A server's replies, its planner's by a function."""
    others = answering("A")
    return lambda request: said(request) if "exactly one letter" in request.text else others(request)


async def plan(said: Callable[[Received], Said]) -> tuple[dict[str, Any], list[Received]]:
    values, chats, _ = await ask(planning(said))
    return values, [chat for chat in chats if "exactly one letter" in chat.text]


SHARES = {"C": 0.6, "A": 0.2, "The": 0.2}


async def test_the_letters_probabilities_are_read_from_a_server_that_tells_them() -> None:
    tokens = [('{"option": "', {'{"option": "': 1.0}), ("C", SHARES), ('"}', {'"}': 1.0})]
    values, asked = await plan(lambda request: with_logprobs('{"option": "C"}', tokens))
    assert values["path"]["option"] == "C"
    assert values["path"]["probabilities"] == {"A": 0.25, "B": 0.0, "C": 0.75, "D": 0.0}
    assert [(chat.form, chat.body["logprobs"], chat.body["top_logprobs"]) for chat in asked] == [("schema", True, 20)]


async def test_a_trained_planner_behind_a_server_is_asked_as_it_was_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_BARE_LETTERS", "1")
    values, asked = await plan(lambda request: with_logprobs("C", [("C", SHARES)]))
    assert values["path"]["probabilities"] == {"A": 0.25, "B": 0.0, "C": 0.75, "D": 0.0}
    assert values["failures"] == []
    [chat] = asked
    assert chat.form == "text"
    trained_on = planner_prompt(QUESTION)
    assert chat.text == "\n".join(
        part if isinstance(part, str) else part["text"]
        for message in trained_on.messages
        for part in (message.content if isinstance(message.content, list) else [message.content])
        if isinstance(part, str) or part["type"] == "text"
    )


async def test_a_server_that_tells_no_probabilities_is_asked_without() -> None:
    def refusing(request: Received) -> Said:
        if "logprobs" in request.body:
            return error(400, "logprobs are not supported with this model.")
        return reply({"option": "C", "why": "known"})

    values, asked = await plan(refusing)
    assert (values["path"]["option"], values["path"]["probabilities"]) == ("C", {})
    assert ["logprobs" in chat.body for chat in asked] == [True, False]
    assert values["failures"] == []
