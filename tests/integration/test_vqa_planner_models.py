"""The VQA planner asking real chat clients over HTTP: letters, other replies, and who sees the picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.scripted_vqa import GOLD, PAGE, PAGES, PICTURES, QUESTION
from loopback.openai_server import OpenAIServer, Received, Said, reply

from backtrail.graphs.vqa_planner import build
from backtrail.state.settings import Settings
from backtrail.tools.deciders.capabilities import forget_learnt
from backtrail.tools.toolbox import Toolbox


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    forget_learnt()
    yield
    forget_learnt()


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


async def ask(option: object) -> tuple[dict[str, Any], list[Received], ScriptedSearches]:
    searches = ScriptedSearches(PAGES, PICTURES)
    with OpenAIServer([answering(option)], forever=True) as server:
        model = f"openai-compatible:any@{server.url}"
        values = await build(Toolbox(open_searches=lambda settings: searches)).compile().ainvoke(
            {"question": QUESTION, "image": stored_picture(7)},
            context=Settings(planner=model, reader=model, variant="published"),
        )  # fmt: skip
        return values, list(server.chats), searches


async def test_one_letter_settles_the_path_and_every_call_sees_the_picture() -> None:
    values, chats, searches = await ask({"option": "D", "why": "unknown bridge"})
    assert values["path"]["option"] == values["path"]["planned"] == "D"
    assert searches.asked == [("image-by-picture", PICTURE), ("text", GOLD)]
    assert [len(chat.images) > 0 for chat in chats] == [True, True, True]
    assert PAGE.partition(": ")[2] in chats[2].text
    assert values["answer"]["text"] == "1931"
    assert values["failures"] == []


@pytest.mark.parametrize("said", [{"option": "E"}, "I would look at the picture first."])
async def test_whoever_says_no_letter_is_asked_again_and_then_everything_is_searched(said: object) -> None:
    values, chats, searches = await ask(said)
    asked = [chat for chat in chats if "exactly one letter" in chat.text]
    assert len(asked) > 1
    assert "cannot be used" in asked[-1].text
    assert [failure["id"] for failure in values["failures"]] == ["choose_path@0"]
    assert values["usage"]["choose_path@0"]["calls"] == len(asked)
    assert (values["path"]["planned"], values["path"]["option"]) == (None, "D")
    assert [kind for kind, _ in searches.asked] == ["image-by-picture", "text"]
    assert values["answer"]["text"] == "1931"
