"""One search for the nodes that search: its results as evidence, its costs and its failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable

from typing_extensions import TypedDict

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.reading.component_views import clip, component_text, locator
from backtrail.nodes.take_decision import MESSAGE_CHARACTERS
from backtrail.state.evidence import SNIPPET_CHARACTERS, Evidence
from backtrail.state.failure import Failure
from backtrail.state.search import SearchOutcome, SearchRecord, SearchTask, search_id, search_node
from backtrail.state.usage import Charge, charge
from backtrail.tools.web.errors import SearchError
from backtrail.tools.web.protocol import FoundComponent, Searched

REASON_CHARACTERS = 300


class SearchWrites(TypedDict):
    """Writes of one search."""

    evidence: dict[str, Evidence]
    searches: list[SearchRecord]
    usage: dict[str, Charge]
    failures: list[Failure]


async def search_once(task: SearchTask, search: Awaitable[Searched]) -> SearchWrites:
    """Carry out a search.

    A failing provider gives a failure and a failed record, so that planners see that nothing was searched; each lost
    result is a failure too. Errors that are not the provider's, such as a missing corpus, are raised.
    """
    started = time.perf_counter()
    try:
        searched = await search
    except SearchError as error:
        seconds = time.perf_counter() - started
        return {
            "evidence": {},
            "searches": [_record(task, Searched((), charge()), seconds, "failed", str(error))],
            "usage": {search_id(task): charge(stage="web", seconds=seconds)},
            "failures": [_failure(task, "", type(error).__name__, str(error))],
        }
    seconds = time.perf_counter() - started
    outcome = "found" if searched.found else "empty"
    reason = " ".join(searched.problems) or ("" if searched.found else searched.nothing)
    return {
        "evidence": await asyncio.to_thread(_all_evidence, task, searched),
        "searches": [_record(task, searched, seconds, outcome, reason)],
        "usage": {search_id(task): searched.charge},
        "failures": [
            _failure(task, f"#{number}", "SearchTrouble", trouble) for number, trouble in enumerate(searched.problems)
        ],
    }


def _record(task: SearchTask, searched: Searched, seconds: float, outcome: SearchOutcome, reason: str) -> SearchRecord:
    return {
        "id": search_id(task),
        "round": task["round"],
        "kind": task["kind"],
        "query": task["query"],
        "found": [found.component.id for found in searched.found],
        "requests": searched.requests,
        "seconds": round(seconds, 6),
        "outcome": outcome,
        "reason": clip(reason, REASON_CHARACTERS),
    }


def _all_evidence(task: SearchTask, searched: Searched) -> dict[str, Evidence]:
    return {found.component.id: _evidence(task, found) for found in searched.found}


def _evidence(task: SearchTask, found: FoundComponent) -> Evidence:
    component, document = found.component, found.document
    wanted = content_terms(task["question"])
    words = content_terms(f"{document.title} {component_text(component)}")
    return {
        "component": component.id,
        "modality": component.modality,
        "document": document.id,
        "title": document.title,
        "snippet": clip(" ".join((found.snippet or component_text(component)).split()), SNIPPET_CHARACTERS),
        "locator": locator(component, document),
        "score": round(found.score, 6),
        # The web has no term statistics, so all terms of the question weigh the same.
        "coverage": round(coverage(wanted, words, dict.fromkeys(wanted, 1.0)), 4),
        "hop": task["round"],
        "query": task["query"],
    }


def _failure(task: SearchTask, suffix: str, error: str, message: str) -> Failure:
    return {
        "id": search_id(task) + suffix,
        "node": search_node(task["kind"]),
        "step": task["round"],
        "error": error,
        "message": message[:MESSAGE_CHARACTERS],
    }
