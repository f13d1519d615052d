"""Errors travel between processes; what is wrong with a reply repeats no sentence of it."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.decision import quote_ids
from backtrail.state.usage import charge
from backtrail.tools.corpus.errors import CorpusLocked
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.errors import BacktrailError


def test_errors_travel_as_they_are() -> None:
    errors: list[BacktrailError] = [
        DecisionFailed("answer", "gpt", "no JSON", charge()),
        CorpusLocked("zoo", 7, "2026-01-01T00:00:00+00:00", "host"),
        BacktrailError(),
    ]
    for error in errors:
        there = pickle.loads(pickle.dumps(error))
        assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))


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
