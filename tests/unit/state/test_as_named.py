"""What is wrong with a reply is said in our words: nothing that could read as a sentence is repeated from it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.decision import quote_ids

IDS = st.from_regex(r"[A-Za-z0-9_.:#/-]{1,60}", fullmatch=True)


@given(IDS)
def test_an_id_is_quoted(id_: str) -> None:
    assert quote_ids(id_) == f"'{id_}'"


@given(st.text(min_size=1, max_size=30), st.sampled_from([" ", "\n", "\u00a0", "\u2028", "，"]), st.text(max_size=30))
def test_of_a_text_nothing_but_its_length_is_told(before: str, between: str, after: str) -> None:
    text = f"{before}{between}{after}"
    assert quote_ids(text) == f"(a text of {len(text)} characters)"


def test_long_and_empty_ones_are_not_quoted_and_several_are_listed() -> None:
    assert quote_ids("a" * 5_000, "", "titan#1") == "(a text of 5,000 characters), (a text of 0 characters), 'titan#1'"
