"""What the rows of one table answer together is counted and compared, and never where a word is left over."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.lookup.rows import MOST_ROWS, over_rows
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece, EvidenceText

TRIPS = EvidenceText(
    id="trips#t", modality="table", title="Trips", header=["Trip", "Month", "Price (GBP)", "Leader"],
    rows=[
        ["Snowdon walk", "May", "45.00", "Samuel Dray"],
        ["Paris", "June", "390.00", "Priya Nair"],
        ["Theatre in Bath", "June", "28.50", "Owen Tarrant"],
        ["Geology on Skye", "April", "310.00", "Samuel Dray"],
        ["Total", "", "773.50", ""],
    ],
    score=1.0,
)  # fmt: skip
SHOP = EvidenceText(
    id="shop#t", modality="table", title="Shop", header=["Item", "Price", "Stock"],
    rows=[["Blazer", "52.00", "0"], ["Tie", "8.50", "75"], ["Shirt", "11.25", "0"]], score=0.9,
)  # fmt: skip
LOCKS = EvidenceText(
    id="locks#t", modality="table", title="Locks", header=["Lock", "Built", "Keeper"],
    rows=[["Morrow", "1971", "Wick"], ["Tern", "1966", "none"], ["Gull", "1978", "Holm"]], score=0.8,
)  # fmt: skip


def told(question: str, *tables: EvidenceText) -> str:
    inputs = AnswerInputs(question=question, evidence=list(tables or (TRIPS, SHOP, LOCKS)))
    found = over_rows(inputs, analyse(question))
    return found.text if found else ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which trip is the cheapest?", "Theatre in Bath (28.50 GBP)"),
        ("Which trip is the most expensive?", "Paris (390.00 GBP)"),
        ("Which item has the highest price?", "Blazer (52.00)"),
        ("Which lock is the latest?", "Gull (1978)"),
        ("How many trips are led by Samuel Dray?", "2 (Snowdon walk; Geology on Skye)"),
        ("How many trips are there in June?", "2 (Paris; Theatre in Bath)"),
        ("How many trips are there?", "4 (Snowdon walk; Paris; Theatre in Bath; Geology on Skye)"),
        ("Which items are out of stock?", "Blazer; Shirt"),
        ("Which trip in June is the cheapest?", "Theatre in Bath (28.50 GBP)"),
    ],
)
def test_rows_are_counted_compared_and_listed(question: str, answer: str) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Which trip is the heaviest?",  # no column of weights
        "How many trips were cancelled?",
        "How many trips does Margaret lead?",
        "Which trips are popular?",
        "How many pupils are there?",
        "Which trip is the cheapest for teachers?",
    ],
)
def test_a_word_that_the_table_does_not_tell_leaves_it_unanswered(question: str) -> None:
    assert not told(question)


def test_two_tables_that_say_different_things_and_one_that_may_be_cut_say_nothing() -> None:
    other = SHOP.model_copy(update={"id": "old#t", "rows": [["Cap", "4.00", "0"], ["Sock", "2.00", "3"]]})
    assert not told("Which items are out of stock?", SHOP, other)
    long = SHOP.model_copy(update={"rows": [[f"Item {n}", str(n + 1), "0"] for n in range(MOST_ROWS + 1)]})
    assert not told("Which item is the cheapest?", long)


def test_the_rows_are_cited() -> None:
    question = "How many trips are led by Samuel Dray?"
    found = over_rows(AnswerInputs(question=question, evidence=[TRIPS]), analyse(question))
    assert found is not None
    assert found.citations == [CitedPiece(component="trips#t", row=row) for row in (0, 3)]
