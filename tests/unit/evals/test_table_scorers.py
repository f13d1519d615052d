"""Scorers of answers that were computed over tables: values, scales and the rows that are cited."""

from __future__ import annotations

from typing import Any

import pytest
from fixtures.outcomes import asked, replied
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.scorers.cited_rows import exact_sources, wrong_answer
from backtrail.evals.scorers.denotation import denotation, denotation_match, same_denotation
from backtrail.evals.scorers.tatqa import em_and_f1, tatqa_em_without_scale


@pytest.mark.parametrize(
    ("said", "gold", "right"),
    [
        ("March 5th, 2014", ["5 March 2014"], True),
        ("2014-03-05", ["5 March 2014"], True),
        ("Rome; Bangkok, Thailand", ["Bangkok, Thailand", "Rome"], True),
        ("Rome, Oslo and Bern", ["Bern", "Oslo", "Rome"], True),
        ("1,200 and 3,400", ["3400", "1200"], True),
    ],
)
def test_an_answer_is_the_same_set_of_values(said: str, gold: list[str], right: bool) -> None:
    assert same_denotation(said, gold) == right


@given(st.integers(-(10**12), 10**12))
def test_a_number_is_the_same_with_and_without_separators(number: int) -> None:
    assert same_denotation(f"{number:,}", [str(number)])
    assert em_and_f1(f"{number:,} thousand", [str(number)], "thousand", "arithmetic") == (1, 1)


@pytest.mark.parametrize(
    ("said", "gold", "scale", "kind", "expected"),
    [
        ("-$12.6 million", ["-12.6"], "million", "arithmetic", (1, 1)),
        ("12,600 thousand", ["12.6"], "million", "arithmetic", (1, 1)),
        ("22.22 percent", ["22.22"], "percent", "arithmetic", (1, 1)),
        ("0.2222", ["22.22"], "percent", "arithmetic", (1, 1)),
    ],
)
def test_a_number_counts_with_its_scale(
    said: str, gold: list[str], scale: str, kind: str, expected: tuple[float, float]
) -> None:
    assert em_and_f1(said, gold, scale, kind) == expected


def test_a_number_without_its_scale_is_counted_apart() -> None:
    question = asked(answers=["12.6 million"], tags={"answer_list": ["12.6"], "scale": "million", "type": "arithmetic"})
    assert [tatqa_em_without_scale()(question, replied(said)) for said in ("12.6", "12.7")] == [1, 0]


@pytest.mark.parametrize(
    ("cited", "exact"),
    [
        ({"t": ((0, 1), (4, 4))}, 1),
        ({"t": ((0, 0), (4, 4))}, 0),  # the derivation needs row 1 or 2, too
        ({"t": ((0, 4),), "other": ((0, 0),)}, 0),
        ({"t": ((0, 5),)}, 0),  # the table has five rows
        ({}, 0),
    ],
)
def test_right_answers_cite_the_rows_of_the_gold_table(cited: dict[str, Any], exact: float) -> None:
    tags = {"answer_list": ["7"], "table_rows": 5, "source_rows": [[1, 2], [4]]}
    question, scorer = asked(answers=["7"], gold=(("t",),), tags=tags), exact_sources(denotation_match)
    assert scorer(question, replied("7", cited_rows=cited)) == exact
    assert scorer(question, replied("8", cited_rows=cited)) is None


def test_wrong_is_what_was_answered_and_is_not_right() -> None:
    question, wrong = asked(answers=["7"]), wrong_answer(denotation_match)
    said = [replied("7"), replied("8"), replied("Not found.", abstained=True), replied("", error="E: x")]
    assert [wrong(question, one) for one in said] == [0, 1, 0, 0]
    assert [denotation()(question, one) for one in said] == [1, 0, 0, 0]
