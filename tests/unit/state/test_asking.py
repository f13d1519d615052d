"""Replies of people, in the forms that clients give them."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.chat.human_input import MOST_PARTS, approval_request, reply_to, texts_of
from backtrail.state.errors import InputRefused

PLAN = approval_request("plan", "The plan", {"plan": ["a", "b"]}, ["approve", "edit", "reject"])
WEB = approval_request("web", "May it?", {"question": "q"}, ["approve", "reject"])


ACCEPTED: list[Any] = ["yes", " Yes. ", "ja", "OK", True, {"type": "accept"}, {"decisions": [{"type": "approve"}]}]


@pytest.mark.parametrize("said", ACCEPTED)
def test_approval(said: Any) -> None:
    assert reply_to(WEB, said).decision == "approve"


@pytest.mark.parametrize("said", ["no", "Nein!", False, [{"type": "ignore"}], {"decisions": [{"type": "reject"}]}])
def test_refusal(said: Any) -> None:
    assert reply_to(WEB, said).decision == "reject"


@pytest.mark.parametrize(
    "said",
    [
        ["c", "d"],
        {"plan": ["c", "d"]},
        "c\nd",
        "- c\n- d\n",
        {"decisions": [{"type": "edit", "edited_action": {"name": "plan", "args": {"plan": ["c", "d"]}}}]},
        [{"type": "edit", "args": {"action": "plan", "args": {"plan": ["c", "d"]}}}],
    ],
)
def test_an_edited_plan(said: Any) -> None:
    reply = reply_to(PLAN, said)
    assert reply.decision == "edit"
    assert texts_of(reply.edited) == ["c", "d"]


@pytest.mark.parametrize("said", [None, "", "perhaps", 7, {}, [], {"decisions": []}, {"type": "edit"}])
def test_what_decides_nothing_is_refused(said: Any) -> None:
    with pytest.raises(InputRefused, match="decides nothing about the web"):
        reply_to(WEB, said)


@pytest.mark.parametrize("edited", [[], "", [1], ["x", 2], 7, {"a": 1}, ["x"] * (MOST_PARTS + 1)])
def test_what_is_no_plan_is_refused(edited: Any) -> None:
    with pytest.raises(InputRefused, match="A plan has"):
        texts_of(edited)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "args", "decisions", "plan"]), inner),
)


@given(JSON)
def test_whatever_is_replied_decides_or_is_refused(said: Any) -> None:
    with suppress(InputRefused):
        assert reply_to(PLAN, said).decision in ("approve", "edit", "reject")
