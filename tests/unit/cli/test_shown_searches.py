"""Rounds and searches as people see them."""

from __future__ import annotations

from typing import Any

from backtrail.cli.show.records.find import views_of
from backtrail.cli.show.records.view import Shown
from backtrail.cli.show.titles import Titles
from backtrail.graphs.methods import METHODS


def titles() -> Titles:
    def nothing() -> Any:
        raise AssertionError("titles come from the evidence")

    return Titles(nothing)


def a_search(round_: int, query: str, outcome: str = "found", **fields: Any) -> Any:
    return {
        "id": f"search_text@{round_}.0", "round": round_, "kind": "text", "query": query, "found": [], "requests": 1,
        "seconds": 0.1, "outcome": outcome, "reason": "", **fields,
    }  # fmt: skip


ROUND: Any = {"index": 1, "queries": ["a", "b"], "action": "text search", "found": [], "why": "facts are missing"}


def history(method: str, **values: Any) -> list[str]:
    views = views_of(METHODS[method])
    told = {number for view in views for number in view.numbers(values)}
    return lines(*(line for view in views for line in view.lines(Shown(values, titles(), told))))


def lines(*shown: Any) -> list[str]:
    return [" ".join(line.plain.split()) for line in shown if line.plain]


def test_a_round_is_followed_by_its_searches() -> None:
    searches = [a_search(1, "a"), a_search(2, "c", "refused", reason="The same search was done in round 1.")]
    assert history("cogplanner", rounds=[ROUND], searches=searches) == [
        "1 text search a; b",
        "why facts are missing",
        "✓ text: a",
        "⊘ text: c",
        "refused The same search was done in round 1.",
    ]
    turn: Any = {"index": 1, "thought": "", "subquestion": "Which?", "action": "search text", "query": "a"}
    assert history("omnisearch", turns=[turn], searches=searches[:1]) == ["1 search text Which?", "✓ text: a"]


def test_an_attempt_says_how_its_draft_was_judged() -> None:
    attempt: Any = {
        "round": 1, "query": "a", "relevant": [], "drafts": 1, "grounded": True, "useful": False, "why": "another year",
    }  # fmt: skip
    judged = [attempt, {**attempt, "round": 2, "grounded": False}, {**attempt, "round": 3, "grounded": None}]
    judged += [{**attempt, "round": 4, "drafts": 0, "why": ""}]
    shown = history("self_rag", attempts=judged, searches=[a_search(1, "a"), a_search(4, "d")])
    assert [line for line in shown if not line.startswith("why")] == [
        "1 not useful a", "✓ text: a", "2 unsupported a", "3 not judged a", "4 no draft a", "✓ text: d",
    ]  # fmt: skip
