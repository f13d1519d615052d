"""Words of an answer that go out while they are written: never taken back, and the beginning of the message."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from backtrail.nodes.streaming.answer_tokens import AnswerTokens
from backtrail.nodes.streaming.escape_markdown import markdown
from backtrail.tools.deciders.requests.partial_reply import LONGEST, text_so_far

TEXTS = st.text(st.sampled_from('ab 1.#*_<[](|$@:/w\n\t\\"}{é😀\u202e'), max_size=60)


@given(TEXTS, st.lists(st.integers(0, 60), max_size=8))
def test_pieces_together_are_the_beginning_of_the_message(text: str, cuts: list[int]) -> None:
    pushed: list[BaseMessage] = []
    aloud = AnswerTokens("one", pushed.append)
    for cut in sorted(cuts):
        aloud.say(text[:cut])
        assert markdown(text).startswith("".join(str(one.content) for one in pushed))
    aloud.say(f"{text}\n")  # ends the last word
    assert "".join(str(one.content) for one in pushed) == markdown(text)
    whole = aloud.end(AIMessage(f"{markdown(text)}\n\nSources", additional_kwargs={"backtrail": {"short": "a"}}))
    if not markdown(text):
        assert (pushed, whole.id) == ([], None)
        return
    joined = pushed[0]
    for one in pushed[1:]:
        assert isinstance(joined, AIMessageChunk)
        joined = joined + one  # as clients do
    assert (joined.id, joined.content, joined.additional_kwargs) == (whole.id, whole.content, whole.additional_kwargs)


def test_a_message_of_blocks_ends_its_chunks_with_its_annotations() -> None:
    pushed: list[Any] = []
    aloud = AnswerTokens("one", pushed.append)
    aloud.say("It was in 1989, ")
    cited = {"type": "citation", "title": "Triton"}
    aloud.end(AIMessage([{"type": "text", "text": "It was in 1989, on Triton.", "annotations": [cited]}]))
    joined = pushed[0] + pushed[1]
    assert joined.text == "It was in 1989, on Triton."
    assert [one.get("annotations") for one in joined.content_blocks] == [None, [cited]]


def test_a_reply_given_again_goes_on_where_it_was_cut_off() -> None:
    pushed: list[BaseMessage] = []
    aloud = AnswerTokens("one", pushed.append)
    for text in ("It was ", "It was in", "It", "It was in 1989", "It was in 1989. So"):
        aloud.say(text)
    assert [one.content for one in pushed] == ["It was", " in", " 1989."]


@given(TEXTS, TEXTS, st.booleans(), st.integers(0, 400))
def test_the_text_of_a_reply_cut_anywhere_begins_the_text(text: str, other: str, ascii_: bool, cut: int) -> None:
    reply = json.dumps({"reasoning": other, "answer": {"short": other, "text": text, "more": [1]}}, ensure_ascii=ascii_)
    for before in ("", "<think>{ maybe </think>\n", "```json\n"):
        assert text.startswith(text_so_far((before + reply)[:cut], ("answer", "text")))
        assert text_so_far(before + reply, ("answer", "text")) == text


def test_what_is_no_sound_json_tells_nothing() -> None:
    for reply in ("", "no JSON", "{'text': 'a'", '{"text": 3', '{"other": "a', "[1]", '<think>{"text": "not yet'):
        assert text_so_far(reply, ("text",)) == ""
    assert text_so_far('{"text": "' + "a" * LONGEST, ("text",)) == ""
