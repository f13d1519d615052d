"""Long runs of white space end where text by others enters: no rule and no parser sees one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from backtrail.state.asked import question_in
from backtrail.state.chat.told import said_in
from backtrail.state.text.whitespace import LONGEST_RUN, bound_whitespace

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
    assert said_in(HumanMessage(long)) == short
    told = {"backtrail": {"text": long, "short": "it"}}
    assert said_in(AIMessage(long, additional_kwargs=told)) == short
