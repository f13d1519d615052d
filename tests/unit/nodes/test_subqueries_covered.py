"""Which open subqueries are judged by themselves, and against what."""

from __future__ import annotations

from backtrail.nodes.fif.subqueries_covered import askable
from backtrail.state.subquery import Subquery

QUESTION = "Who designed the bridge of Vienna that was opened in 1909?"
BRIDGE = "the bridge of Vienna opened in 1909"


def subquery(key: str, text: str, *needs: str, answer: str = "") -> Subquery:
    return {
        "id": key, "text": text, "depends_on": list(needs), "status": "answered" if answer else "open",
        "answer": answer, "answered_by": None, "planned_at": 0,
    }  # fmt: skip


def test_one_that_waits_for_another_is_judged_by_the_whole_question() -> None:
    designer = subquery("q1", "Who designed the old bridge of Vienna?", "q0")
    assert askable(QUESTION, [subquery("q0", BRIDGE), designer]) == {"q0": BRIDGE}
    assert askable(QUESTION, [subquery("q0", BRIDGE, answer="Urania"), designer]) == {}


def test_the_question_itself_and_a_few_words_are_not_judged_apart() -> None:
    assert askable(QUESTION, [subquery("q0", QUESTION), subquery("q1", "the designer"), subquery("q2", "")]) == {}
