"""Searches in a few lines, step by step: what was decided, what was asked, of what kind, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from backtrail.cli.show.decided_steps import DecidedStep, decided_steps
from backtrail.cli.show.titles import Titles
from backtrail.state.evidence import Evidence
from backtrail.state.search import SearchRecord

OUTCOMES = {
    "found": ("✓", "green"),
    "empty": ("∅", "yellow"),
    "failed": ("✗", "red"),
    "refused": ("⊘", "yellow"),
}
KINDS = {"text": "text", "image-by-text": "images by words", "image-by-picture": "images by the picture"}


def decided_lines(step: DecidedStep) -> Iterator[Text]:
    """What a step of planning decided."""
    yield Text.assemble((f"{step.number:>3} ", "bold"), (f"{step.chosen:<18}", "cyan"), step.asked)
    if step.why:
        yield Text.assemble(" " * 6, (f"{step.label:<9}", "dim"), step.why)


def search_lines(
    search: SearchRecord, titles: Titles, evidence: Mapping[str, Evidence], found: int = 5
) -> Iterator[Text]:
    """One search with what it found.

    Args:
        found: how many of the found documents to name.
    """
    mark, colour = OUTCOMES[search["outcome"]]
    yield Text.assemble(" " * 4, (f"{mark} ", colour), (f"{KINDS[search['kind']]}: ", colour), search["query"])
    if search["found"]:
        yield Text.assemble(" " * 6, ("found    ", "dim"), _named(search["found"], titles, evidence, found))
    if search["reason"]:
        yield Text.assemble(" " * 6, (f"{search['outcome']:<9}", colour), search["reason"])


def history_lines(values: Mapping[str, Any], titles: Titles) -> Iterator[Text]:
    """Every round or turn with its searches; searches of methods without these by themselves."""
    decided = {step.number: step for step in decided_steps(values)}
    searches: Sequence[SearchRecord] = values.get("searches", [])
    for number in sorted({*decided, *(search["round"] for search in searches)}):
        yield Text()
        yield from decided_lines(decided[number]) if number in decided else ()
        for search in searches:
            if search["round"] == number:
                yield from search_lines(search, titles, values.get("evidence", {}))


def _named(ids: Sequence[str], titles: Titles, evidence: Mapping[str, Evidence], shown: int) -> str:
    named = [
        f"{titles.of(evidence[id_]['document'])} ({evidence[id_]['modality']})" if id_ in evidence else id_
        for id_ in ids[:shown]
    ]
    more = len(ids) - shown
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")
