"""Scores by a tag: each value its own row, numbers in their order."""

from __future__ import annotations

from typing import Any

from backtrail.evals.breakdown import grouped
from backtrail.evals.comparison import Comparison
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.report import breakdown_markdown
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.spending import calls
from backtrail.evals.summary import Summary


def pair(answer: str, tag: Any) -> tuple[Question, Outcome]:
    tags = {} if tag is ... else {"tag": tag}
    question = Question(id="q", question="?", answers=("Ada",), tags=tags)
    return question, Outcome(id="q", asked="", answer=answer, calls=3, seconds=1.0)


def broken_down(held: list[tuple[Question, Outcome]], tag: str, *scorers: Any) -> dict[str, Summary]:
    found = Comparison(scorers or (exact_match(),), [question for question, _ in held], {"fif": held})
    return dict(found.by(tag))


def test_values_come_in_their_order_and_untagged_questions_are_left_out() -> None:
    held = [pair("Ada", 10), pair("Bob", 2), pair("Ada", "table"), pair("Ada", None), pair("Ada", ""), pair("Ada", ...)]
    assert list(broken_down(held, "tag")) == ["2", "10", "table"]
    assert broken_down(held, "other") == {}


def test_a_question_with_several_values_counts_under_each() -> None:
    held = [pair("Ada", ["TXT", "IMG"]), pair("Bob", ["IMG"])]
    groups = broken_down(held, "tag")
    assert {value: summary.scores["EM"].mean for value, summary in groups.items()} == {"IMG": 0.5, "TXT": 1.0}
    assert {value: summary.questions for value, summary in groups.items()} == {"IMG": 2, "TXT": 1}


def test_the_table_shows_shares_and_not_what_was_spent() -> None:
    groups = broken_down([pair("Ada", 1), pair("Bob", 2)], "tag", exact_match(), calls())
    assert breakdown_markdown("tag", list(groups.items())).splitlines() == [
        "| Method | tag | Questions | EM |",
        "| --- | --- | ---: | ---: |",
        "| fif | 1 | 1 | 100.0 |",
        "| fif | 2 | 1 | 0.0 |",
    ]


def test_a_question_is_grouped_by_its_own_fields_unless_a_tag_says_otherwise() -> None:
    own = Question(id="a", question="?", corpus="web", kind="table", hops=2)
    tagged = Question(id="b", question="?", kind="table", tags={"kind": "list"})
    assert {value: [one.id for one in held] for value, held in grouped([own, tagged], "kind", lambda q: q).items()} == {
        "list": ["b"], "table": ["a"],
    }  # fmt: skip
    assert list(grouped([own, tagged], "hops", lambda q: q)) == ["0", "2"]
    assert list(grouped([own, tagged], "corpus", lambda q: q)) == ["web"]
    assert grouped([own], "question", lambda q: q) == {}
