"""How a run went, in words: marks of single hops say little of whether its answer rests on anything."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.cli.show.answer_lines import sure
from backtrail.cli.show.course import course, ended


def hop(step: int, outcome: str, *found: str, kind: str = "traverse") -> dict[str, Any]:
    return {"step": step, "kind": kind, "outcome": outcome, "components": [{"id": name, "score": 1} for name in found]}


def values(*hops: Any, cited: tuple[str, ...] = (), abstained: bool = False, stop_reason: str = "stop") -> Any:
    citations = [{"component": name} for name in cited]
    answer = {"text": "x", "abstained": abstained, "citations": citations, "confidence": 0.5}
    return {"hops": list(hops), "answer": answer, "stop_reason": stop_reason}


COLD = (hop(0, "failure", "a#1"), hop(1, "failure", "a#1", "b#1"), hop(2, "success", kind="plan"))


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (
            values(*COLD, cited=("b#1", "a#1")),
            "No step settled the question by itself; the answer was read from what was found in steps 0 and 1.",
        ),
        (
            values(*COLD, hop(3, "success", "c#1"), cited=("c#1",)),
            "1 of 3 steps settled a part of the question; what the answer cites was found in step 3.",
        ),
        (
            values(*COLD, abstained=True),
            "No step settled the question by itself, and what they found supports no answer well enough.",
        ),
        (values(hop(0, "failure", "a#1"), cited=("elsewhere#1",)), "The one step did not settle the question."),
        (values(cited=("a#1",)), ""),
        ({"hops": [hop(0, "failure")]}, ""),
    ],
)
def test_a_run_of_cold_hops_says_what_its_answer_rests_on(run: Any, words: str) -> None:
    assert course(run) == words


def test_a_used_up_budget_is_said_with_what_it_means() -> None:
    budget = "the budget of steps was used up"
    assert ended(values(stop_reason="budget:steps")) == f"{budget}; the answer is the best by then"
    assert ended(values(stop_reason="budget:steps", abstained=True)) == f"{budget}; a larger one would search on"
    assert ended(values()) == "it chose to stop searching"


def test_a_withheld_answer_is_as_sure_in_a_table_as_its_text_says() -> None:
    read = {"level": "medium", "probability": 0.518, "signals": {}}
    withheld: Any = {"abstained": True, "calibrated": read, "quotes": [{}], "confidence": 0.0}
    assert sure(withheld) == "medium (0.52), withheld"
    assert sure({**withheld, "abstained": False}) == "medium (0.52)"
    assert sure({**withheld, "calibrated": None}) == "–"
    assert sure({**withheld, "grounds": "quotes"}) == "–"
