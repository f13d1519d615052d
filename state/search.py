"""Searches of the web, or of what stands for it: the task of one, and the record of what became of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from backtrail.state.hop import intent

SearchKind = Literal["text", "image-by-text", "image-by-picture"]
SearchOutcome = Literal["found", "empty", "failed", "refused"]


class SearchTask(TypedDict):
    """What one search is sent with: a ``Send`` payload, so that searches of a round run side by side.

    ``index`` numbers the searches of a round over all kinds, from 0. ``picture`` is the sha256 of the
    question's picture; searches by picture need it, all others pass it over.
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
    """The task of one search; ``number`` is that of its round."""
    return {"kind": kind, "query": query, "round": number, "index": index, "question": question, "picture": picture}


class SearchRecord(TypedDict):
    """One search. ``found`` are component ids as the provider ranked them; a refused one was never carried out.

    ``reason`` says why nothing was found, or what was lost on the way; ``requests`` went over the network.
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


def merge_searches(held: list[SearchRecord], new: list[SearchRecord]) -> list[SearchRecord]:
    """Reducer: by id, ordered by round and then as planned; an id seen again replaces its record."""
    by_id = {record["id"]: record for record in [*held, *new]}
    return sorted(by_id.values(), key=lambda record: (record["round"], _index(record)))


def search_id(task: SearchTask) -> str:
    """Id of a task's record, charge and failure: 'search_images@2.0' is the first search of round 2."""
    return f"{search_node(task['kind'])}@{task['round']}.{task['index']}"


def search_node(kind: SearchKind) -> Literal["search_text", "search_images"]:
    """The node that carries out searches of a kind; graphs that search must name theirs so."""
    return "search_text" if kind == "text" else "search_images"


def search_key(kind: SearchKind, query: str, picture: str | None) -> tuple[str, str]:
    """Identity of a search: equal keys would find the same again. By picture only the picture counts."""
    return (kind, picture or "") if kind == "image-by-picture" else (kind, intent(query))


def refused_search(task: SearchTask, reason: str) -> SearchRecord:
    """The record of a search that is not carried out."""
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
