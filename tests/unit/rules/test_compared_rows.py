"""The oldest, the tallest, the second highest: what is compared stands in a column or in the pages of the rows."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.asked.compared_rows import ComparedRows
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

TABLE = EvidenceText(
    id="t", modality="table", title="Aarland at the 2010 Games", score=1.0,
    header=["Medal", "Name", "Sport", "Points", "Height"],
    rows=[
        ["Gold", "Olav Berg", "Rowing", "810", "6 ft 2"], ["Gold", "Marco Sala", "Archery", "790", "5 ft 11"],
        ["Silver", "Luca Riva", "Judo", "805", "6 ft 10"], ["Silver", "Nils Dahl", "Fencing", "640", "6 ft 0"],
    ],
)  # fmt: skip
BORN = ("(born 3 May 1980)", "(15 December 1986 – 2 June 2014)", "(born June 2, 1990)", "(born 4 May 1970)")
PAGES = [
    EvidenceText(
        id=f"p{row}", modality="text", title=cells[1], parent="t", parent_row=row, score=0.9,
        sentences=[f"{cells[1]} {BORN[row]} is an athlete of Aarland."],
    )
    for row, cells in enumerate(TABLE.rows)
]  # fmt: skip


def _meant(question: str, evidence: list[EvidenceText], signal: str) -> list[float]:
    """The signal of each row."""
    compared = ComparedRows(evidence, analyse(question))
    return [compared.of(piece).get(signal, 0.0) for piece in pieces(evidence) if piece.row is not None]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("In which sport did the youngest gold athlete of Aarland compete?", 1),
        ("In which sport did the oldest athlete of Aarland compete?", 3),
        ("Which athlete of Aarland with silver was born last?", 2),
        ("In which sport did the second oldest athlete of Aarland compete?", 0),
    ],
)
def test_lives_are_compared_by_the_pages_of_the_rows_that_are_meant(question: str, row: int) -> None:
    judged = _meant(question, [TABLE, *PAGES], "compared_life")
    assert [place for place, value in enumerate(judged) if value > 0] == [row]
    assert min(judged) == -1.0


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What sport did the athlete with the second highest points compete in?", 2),
        ("What sport did the silver medallist with the lowest points compete in?", 3),
        ("In which sport did the tallest gold athlete compete?", 0),
        ("In which sport did the tallest athlete compete?", 2),
    ],
)
def test_what_a_column_holds_is_compared_among_the_rows_that_are_meant(question: str, row: int) -> None:
    assert [place for place, value in enumerate(_meant(question, [TABLE], "compared_column")) if value > 0] == [row]


@pytest.mark.parametrize(
    "question",
    [
        "In which sport did the athlete of the oldest club compete?",  # not the athlete's age
        "In which sport did the eldest of five children compete?",
        "Who was the younger athlete on the most recent day?",
        "Which athlete has one of the highest points?",
        "In which sport did Olav Berg compete?",
    ],
)
def test_what_compares_something_else_tells_nothing_of_the_rows(question: str) -> None:
    for signal in ("compared_life", "compared_column"):
        assert _meant(question, [TABLE, *PAGES], signal) == [0.0] * 4


def test_of_few_known_lives_none_is_the_oldest() -> None:
    assert _meant("In which sport did the oldest athlete compete?", [TABLE, PAGES[0]], "compared_life") == [0.0] * 4


def test_of_a_list_of_the_highest_no_row_is_meant_more() -> None:
    table = TABLE.model_copy(update={"title": "List of the highest points"})
    assert _meant("Which sport has the highest points?", [table], "compared_column") == [0.0] * 4


def test_the_birth_of_the_youngest_is_read_from_the_page_of_the_row_that_is_meant() -> None:
    inputs = AnswerInputs(question="When was the youngest gold athlete of Aarland born?", evidence=[TABLE, *PAGES])
    assert answer(inputs).text == "15 December 1986"
