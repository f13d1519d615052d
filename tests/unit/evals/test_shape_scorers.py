"""Scorers of lists, parts, tables and key points."""

from __future__ import annotations

import pytest
from fixtures.outcomes import asked, replied

from backtrail.evals.judging import missing_judgings, with_judgings
from backtrail.evals.outcome import outcome_of
from backtrail.evals.scorers.cells import cell_f1
from backtrail.evals.scorers.correctness import all_parts, right
from backtrail.evals.scorers.items import item_precision, item_recall
from backtrail.evals.scorers.judged import key_points
from backtrail.graphs.methods import find_method
from backtrail.tools.deciders.scripted import ScriptedDecider

ISLANDS = (("Trinidad and Tobago",), ("Cuba",), ("Saint Lucia", "St. Lucia"))
HEIGHTS = {"Titan": {"Diameter": "5,150 km", "Found": "1655"}, "Rhea": {"Found": "1672"}}


@pytest.mark.parametrize(
    ("answer", "precision", "recall"),
    [
        ("Cuba, St. Lucia and Trinidad and Tobago", 1.0, 1.0),
        ("- Saint Lucia (1979)\n- cuba\n- Trinidad and Tobago, 1,400,000 people", 1.0, 1.0),
        ("Cuba and Malta", 0.5, 1 / 3),
        ("", 0.0, 0.0),
    ],
)
def test_items_count_in_any_order_and_wording(answer: str, precision: float, recall: float) -> None:
    question, outcome = asked(items=ISLANDS), replied(answer=answer)
    assert (item_precision()(question, outcome), item_recall()(question, outcome)) == (precision, recall)
    assert right()(question, outcome) == float(recall == 1.0), "a partial list is not right"
    assert item_recall()(question, replied(answer=answer, abstained=True)) == 0.0
    assert item_recall()(asked(answers=("Cuba",)), outcome) is None


@pytest.mark.parametrize(("answer", "score"), [("event, then prefork", 1.0), ("event", 0.0), ("", 0.0)])
def test_all_parts_have_to_be_right(answer: str, score: float) -> None:
    assert all_parts()(asked(parts=(("event",), ("prefork", "pre-fork"))), replied(answer=answer)) == score
    assert all_parts()(asked(answers=("event",)), replied(answer=answer)) is None


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("| Moon | Found | Diameter |\n|--|--|--|\n| **Rhea** | 1672 | |\n| titan | 1655 | 5,150 km |", 1.0),
        ("| Moon | Found |\n|--|--|\n| Titan | 1655 |\n| Rhea | 1655 |", 2 * 1 / 5),
        ("Titan was found in 1655.", 0.0),
    ],
)
def test_cells_are_compared_by_row_and_column_name(answer: str, score: float) -> None:
    assert cell_f1()(asked(cells=HEIGHTS), replied(answer=answer)) == pytest.approx(score)
    assert cell_f1()(asked(), replied(answer=answer)) is None


def test_items_and_cells_of_a_structured_answer_are_read_as_they_are() -> None:
    state = {
        "answer": {
            "text": "Two of them.", "short": "two", "citations": [], "confidence": 0.9, "abstained": False,
            "items": [{"text": "Cuba, since 1902", "citations": []}, {"text": "Mali", "citations": []}],
        }
    }  # fmt: skip
    listed = outcome_of("q", "", find_method("fif"), state, 0.0)
    assert (item_precision()(asked(items=(("Cuba",), ("Chad",))), listed), listed.items[1]) == (0.5, "Mali")
    rows = [
        [{"text": name, "citations": []}, {"text": value, "citations": [1]}] for name, value in (("A", "1"), ("B", ""))
    ]
    table = {"columns": ["Hill", "Metres"], "rows": rows}
    compared = outcome_of(
        "q", "", find_method("fif"), {"answer": {**state["answer"], "items": [], "table": table}}, 0.0
    )
    assert compared.cells == (("A", "Metres", "1"),)
    assert cell_f1()(asked(cells={"A": {"Metres": "1"}}), compared) == 1.0
    assert "| A | 1 |" in compared.answer


async def test_key_points_are_those_that_the_judge_finds_in_the_answer() -> None:
    question = asked(points=("It is cold.", "It is far.", "It is old."))
    judge = ScriptedDecider({"check_claims": [{"supported": [True, False, True]}]})
    outcome = await with_judgings(judge, question, replied(answer="Cold and old."), ("points",))
    assert key_points()(question, outcome) == pytest.approx(2 / 3)
    silent = await with_judgings(judge, question, replied(answer="Nothing.", abstained=True), ("points",))
    assert key_points()(question, silent) == 0.0
    assert missing_judgings(asked(answers=("x",)), replied(), ("points", "grade")) == ["grade"]
