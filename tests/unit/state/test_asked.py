"""What is taken on as a question, with its white space bounded, and what is refused with which sentence."""

import re
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from backtrail.state.chat.answer_payload import answer_text
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.limits import Limits, limits, size_of
from backtrail.state.question_input import check_input, question_in
from backtrail.state.text.whitespace import LONGEST_RUN, bound_whitespace

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
SAID = {"role": "user", "content": "When?"}


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "When?", "image": None},
        {"question": "x" * Limits().question},
        {"messages": "When?"},
        {"messages": [("user", "When?")]},
        {"messages": [{"type": "human", "content": [PICTURE, {"type": "text", "text": "When?"}]}]},
        {"messages": [SAID, {"role": "assistant", "content": "Then."}], "question": "Where?"},
        {"messages": [{"role": "assistant", "content": "x" * 50_000}, SAID]},
        {"messages": [{"role": "user", "content": [PICTURE]}]},
        {"question": "?", "image": "ab" * 32},
    ],
)
def test_a_question_may_come_in_any_of_the_usual_forms(asked: dict[str, Any]) -> None:
    check_input(asked)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"question": " \n\t\u00a0"},
        {"messages": [{"role": "user", "content": "…"}]},
        {"messages": [{"role": "user", "content": "  "}], "question": "not this one"},
        {"messages": [SAID, {"role": "assistant", "content": "Then."}]},
    ],
)
def test_an_empty_question_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(InputRefused, match=r"There is no question|The question is empty"):
        check_input(asked)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"question": "x" * 10_001}, "The question is 10,001 characters long; at most 10,000 are read."),
        ({"messages": "x" * 10_001}, "The question is 10,001 characters long"),
        ({"messages": [{"role": "assistant", "content": "x" * 100_001}, SAID]}, "100,001 characters of text"),
        ({"messages": [SAID] * 1_001}, "1,001 messages were sent; a conversation has at most 1,000."),
        (
            {"messages": [{"role": "user", "content": [PICTURE, {"type": "text", "text": "?", "x": "x" * 2**24}]}]},
            "A message, with its pictures, is longer than 12,582,912 characters.",
        ),
        (
            {"messages": [{"role": "user", "content": [{**PICTURE, "x": "x" * 2**23}]}] * 5},
            "The conversation, with its pictures, is longer than 33,554,432 characters.",
        ),
        ({"question": "When?", "image": "x" * 100_000}, "What was sent beside the question is longer than 65,536"),
        ({"question": ["When?"]}, "'question' must be a text, not list."),
        ({"messages": [{"role": "wizard", "content": "When?"}]}, "'messages' cannot be read"),
        ({"messages": 7}, "'messages' cannot be read"),
    ],
)
def test_what_is_too_long_or_no_message_is_refused_with_its_limit(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputRefused) as caught:
        check_input(asked)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 500  # what was sent is not thrown back


def test_a_host_may_move_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_LIMIT_QUESTION", "20")
    check_input({"question": "x" * 20})
    with pytest.raises(InputRefused, match="at most 20"):
        check_input({"question": "x" * 21})
    for unusable in ("0", "-1", "many", "1e3"):
        monkeypatch.setenv("BACKTRAIL_LIMIT_QUESTION", unusable)
        with pytest.raises(BacktrailError, match="BACKTRAIL_LIMIT_QUESTION"):
            limits()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(JSON)
def test_whatever_is_sent_is_taken_on_or_refused_and_nothing_else(sent: Any) -> None:
    for asked in ({"messages": sent}, {"question": sent}, {"question": "When?", "other": sent}):
        with suppress(InputRefused):
            check_input(asked)


def test_the_size_of_a_value_is_counted_without_recursion_and_not_to_its_end() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    assert size_of(deep, 10**9) > 100_000
    endless: list[Any] = []
    endless.append(endless)
    assert size_of(endless, 1_000) < 1_010


def test_the_docs_name_every_limit_with_its_number() -> None:
    page = (Path(__file__).parents[3] / "docs" / "deployment.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`BACKTRAIL_LIMIT_[^|]+) \| ([^|]+) \|", page, re.MULTILINE)
    named = {
        name: number
        for names, numbers in rows
        for name, number in zip(names.split(", "), numbers.split("; "), strict=True)
    }
    assert named == {f"`BACKTRAIL_LIMIT_{name.upper()}`": f"{number:,}" for name, number in asdict(Limits()).items()}


LONG = re.compile(rf"\s{{{LONGEST_RUN + 1}}}")
RUNS = st.tuples(st.sampled_from([" ", "\t", "\n", "\r\n", "\u00a0", " \n", "\n  "]), st.integers(0, 2 * LONGEST_RUN))
TEXTS = st.lists(st.one_of(RUNS.map(lambda run: run[0] * run[1]), st.text(max_size=9))).map("".join)


@given(TEXTS)
def test_no_run_is_long_and_nothing_else_changes(text: str) -> None:
    bounded = bound_whitespace(text)
    assert not LONG.search(bounded)
    assert bounded.split() == text.split()
    assert bound_whitespace(bounded) == bounded
    if not LONG.search(text):
        assert bounded == text


@pytest.mark.parametrize(
    ("run", "kept"),
    [(" " * 5000, " " * LONGEST_RUN), ("\n" * 5000, "\n" * (LONGEST_RUN // 2)), (" " * 5000 + "\n    ", "\n    ")],
)
def test_lines_stay_apart_and_keep_their_indentation(run: str, kept: str) -> None:
    assert bound_whitespace(f"a{run}b") == f"a{kept}b"


def test_questions_and_the_conversation_before_them_are_bounded() -> None:
    long = f"What is{' ' * 5000}it?"
    short = f"What is{' ' * LONGEST_RUN}it?"
    assert question_in(long, []) == short
    assert question_in(None, [HumanMessage(long)]) == short
    assert answer_text(HumanMessage(long)) == short
    payload = {"backtrail": {"text": long, "short": "it"}}
    assert answer_text(AIMessage(long, additional_kwargs=payload)) == short
