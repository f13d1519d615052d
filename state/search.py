"""Searches of the web, or of the corpus in its place: the task of one, and its record."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from backtrail.state.hop import intent

SearchKind = Literal["text", "image-by-text", "image-by-picture"]
SearchOutcome = Literal["found", "empty", "failed", "refused"]


class SearchTask(TypedDict):
    """Input of one search: a ``Send`` payload, so that searches of a round run in parallel.

    ``index`` numbers the searches of a round over all kinds, from 0. ``picture`` is the sha256 of the question's
    picture; only searches by picture use it.
    """

    kind: SearchKind
    query: str
    round: int
    index: int
    question: str
    picture: str | None


def search_task(
    kind: SearchKind, query: str, question: str, picture: str | None, *, number: int = 1, index: int = 0
) -> SearchTask:
    """Build the task of one search; ``number`` is that of its round."""
    return {"kind": kind, "query": query, "round": number, "index": index, "question": question, "picture": picture}


class SearchRecord(TypedDict):
    """Record of one search. ``found`` are component ids in the provider's order.

    A refused search was never carried out. ``reason`` says why nothing was found, or what was lost; ``requests`` counts
    network requests.
    """

    id: str
    round: int
    kind: SearchKind
    query: str
    found: list[str]
    requests: int
    seconds: float
    outcome: SearchOutcome
    reason: str


def merge_searches(current: list[SearchRecord], new: list[SearchRecord]) -> list[SearchRecord]:
    """Reducer: by id, ordered by round and then as planned; a known id replaces its record."""
    by_id = {record["id"]: record for record in [*current, *new]}
    return sorted(by_id.values(), key=lambda record: (record["round"], _index(record)))


def search_id(task: SearchTask) -> str:
    """Return the id of a task's record, charge and failure: 'search_images@2.0' is round 2's first."""
    return f"{search_node(task['kind'])}@{task['round']}.{task['index']}"


def search_node(kind: SearchKind) -> Literal["search_text", "search_images"]:
    """Return the node for searches of a kind; graphs that search must name theirs so."""
    return "search_text" if kind == "text" else "search_images"


def search_key(kind: SearchKind, query: str, picture: str | None) -> tuple[str, str]:
    """Return the identity of a search: equal keys find the same. By picture only the picture counts."""
    return (kind, picture or "") if kind == "image-by-picture" else (kind, intent(query))


def refused_search(task: SearchTask, reason: str) -> SearchRecord:
    """Build the record of a search that is not carried out."""
    return {
        "id": search_id(task),
        "round": task["round"],
        "kind": task["kind"],
        "query": task["query"],
        "found": [],
        "requests": 0,
        "seconds": 0.0,
        "outcome": "refused",
        "reason": reason,
    }


def _index(record: SearchRecord) -> int:
    return int(record["id"].rpartition(".")[2])
