"""What is written of an answer, put together from the pieces that a run streams, in either server's form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessageChunk

from backtrail.nodes.streaming.answer_tokens import AnswerTokens
from backtrail.nodes.streaming.escape_markdown import prose, unescaped
from backtrail.server.ui.engine.protocol import Moment
from backtrail.server.ui.engine.run_progress import RunProgress
from backtrail.state.chat.answer_payload import PAYLOAD_KEY
from backtrail.state.settings import Settings

TEXT = "1. It *was* launched on 2 March:\nsee www.example.org & <b>"
TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
AT = {"langgraph_node": "answer"}


def growing() -> RunProgress:
    return RunProgress(Moment("bm25", Settings()), begun=True)


def pieces(text: str) -> list[AIMessageChunk]:
    told: list[Any] = []
    aloud = AnswerTokens("answer-1", told.append)
    for end in range(1, len(text) + 1):
        aloud.say(text[:end])
    return told


@pytest.mark.parametrize("over_http", [False, True])
def test_words_grow_and_are_plain(over_http: bool) -> None:
    run, seen = growing(), []
    for piece in pieces(TEXT):
        message: Any = piece.model_dump() if over_http else piece
        assert run.take("messages", [message, AT] if over_http else (message, AT))
        seen.append(run.moment.answer_text)
    assert seen[-1] == TEXT
    assert all(TEXT.startswith(words.removesuffix("\\")) for words in seen)
    whole = {"id": "answer-1", "content": "x", "additional_kwargs": {PAYLOAD_KEY: {"text": "Another text."}}}
    assert run.take("messages", (whole, AT))
    assert run.moment.answer_text == "Another text."


def test_who_came_late_is_told_that_something_is_lacking() -> None:
    run = growing()
    for piece in pieces("set down. ")[1:]:
        run.take("messages", (piece, AT))
    assert run.moment.answer_text == "… down."


@pytest.mark.parametrize("chunk", [None, [], ["x", {}], [{"id": "run-1", "content": "draft"}, AT], [{}, {}], [1, 2]])
def test_other_messages_are_no_words(chunk: Any) -> None:
    run = growing()
    assert not run.take("messages", chunk)
    assert run.moment.answer_text == ""


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_what_is_escaped_comes_back_but_for_its_spaces(text: str) -> None:
    assert "".join(unescaped(prose(text)).split()) == "".join(text.translate(TURNING).split())
