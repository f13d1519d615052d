"""Reports: a row for each method and each value of a tag, with intervals and what failed."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.evals.bootstrap import bootstrap_interval
from backtrail.evals.comparison import Comparison
from backtrail.evals.outcome import Outcome, failed_outcome
from backtrail.evals.questions import Question
from backtrail.evals.report import markdown
from backtrail.evals.scorers.abstention import correct_abstention
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.retrieval import hit_at, recall_at
from backtrail.evals.scorers.spending import calls, hops, seconds
from backtrail.evals.summary import Summary, summarise

SCORERS = (hit_at(2), recall_at(2), correct_abstention(), hops(), calls(), seconds())


def pairs() -> list[tuple[Question, Outcome]]:
    """Four answerable questions (one misses, one fails) and one that nobody could answer."""
    gold = (("a",), ("b", "c"))
    asked = [Question(id=f"q{number}", question="Who?", answers=("x",), gold=gold) for number in range(4)]
    asked.append(Question(id="q4", question="Who?"))
    return [
        (asked[0], Outcome(id="q0", fingerprint="", ranking=("a", "c"), calls=2, seconds=1.0)),
        (asked[1], Outcome(id="q1", fingerprint="", ranking=("x", "b"), calls=4, seconds=2.0)),
        (asked[2], Outcome(id="q2", fingerprint="", ranking=("x", "y"), calls=4, seconds=3.0)),
        (asked[3], failed_outcome("q3", "", TimeoutError("the model | did not reply"), 60.0)),
        (asked[4], Outcome(id="q4", fingerprint="", abstained=True, calls=2, seconds=4.0)),
    ]


def test_the_table_has_a_row_per_method_and_lists_what_failed() -> None:
    text = markdown([summarise("dense", SCORERS, pairs()), summarise("fif", SCORERS, pairs()[:3])])
    header, _, dense, fif = text.splitlines()[:4]
    columns = [cell.strip() for cell in header.strip("|").split("|")]
    assert columns == [
        "Method", "Questions", "Hit@2", "Recall@2", "Correct abstention", "Calls", "Seconds median", "p95", "Failed",
    ]  # fmt: skip
    cells = [cell.strip() for cell in dense.strip("|").split("|")]
    assert cells[:2] == ["dense", "5"]
    assert cells[2] == "50.0 [0.0, 100.0]"
    assert cells[4] == "100.0"
    assert cells[6:] == ["2.500", "3.850", "1"]
    assert [cell.strip() for cell in fif.strip("|").split("|")][4] == "–"
    assert "Means over fewer questions: Correct abstention over 1." in text
    assert "- q3: TimeoutError: the model | did not reply" in text
    assert "--retry-failed" in text


def test_calls_are_told_by_the_node_that_made_them() -> None:
    question, outcome = Question(id="a", question="Who?"), Outcome(id="a", fingerprint="", seconds=1.0)
    nodes = ({"answer": 1, "advance": 3}, {"advance": 2})
    held = [(question, outcome.model_copy(update={"calls_by_node": called})) for called in nodes]
    held.append((question, failed_outcome("c", "", TimeoutError("away"), 1.0)))
    by_rules = [(question, outcome)]
    found = Comparison(SCORERS, [question for question, _ in held], {"fif": held, "bm25": by_rules}).summaries()
    *_, table = markdown(found).split("\n\n| Calls |")
    assert table.splitlines()[0] == " calls of advance | calls of answer |"
    assert [line.split(" [")[0] for line in table.splitlines()[2:4]] == ["| fif | 2.50", "| bm25 | – | – |"]
    assert found[0].scores["calls of answer"].mean == 0.5
    assert "\n| Calls |" not in markdown(Comparison(SCORERS, [], {"bm25": by_rules}).summaries())


@settings(deadline=None, max_examples=25)
@given(values=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_lies_within_the_values_and_ignores_their_order(values: list[float]) -> None:
    low, high = bootstrap_interval(values, resamples=100)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    shuffled = random.Random(1).sample(values, len(values))
    assert bootstrap_interval(shuffled, resamples=100) == (low, high)


def test_an_interval_is_as_wide_as_theory_says() -> None:
    low, high = bootstrap_interval([0.0, 1.0] * 500)
    # normal approximation: 1.96 * sqrt(.25 / 1000) = .031
    assert low == pytest.approx(0.469, abs=0.004)
    assert high == pytest.approx(0.531, abs=0.004)


def pair(answer: str, tag: Any) -> tuple[Question, Outcome]:
    tags = {} if tag is ... else {"tag": tag}
    question = Question(id="q", question="?", answers=("Ada",), tags=tags)
    return question, Outcome(id="q", fingerprint="", answer=answer, calls=3, seconds=1.0)


def broken_down(held: list[tuple[Question, Outcome]], tag: str, *scorers: Any) -> dict[str, Summary]:
    found = Comparison(scorers or (exact_match(),), [question for question, _ in held], {"fif": held})
    return dict(found.by(tag))


def test_values_come_in_their_order_and_untagged_questions_are_left_out() -> None:
    held = [pair("Ada", 10), pair("Bob", 2), pair("Ada", "table"), pair("Ada", None), pair("Ada", ""), pair("Ada", ...)]
    assert list(broken_down(held, "tag")) == ["2", "10", "table"]
    assert broken_down(held, "other") == {}
