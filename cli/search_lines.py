"""Searches of the web in a few lines, round by round: what was asked, of what kind, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from backtrail.cli.titles import Titles
from backtrail.state.cogplanner import Round
from backtrail.state.evidence import Evidence
from backtrail.state.search import SearchRecord

OUTCOMES = {
    "found": ("✓", "green"),
    "empty": ("∅", "yellow"),
    "failed": ("✗", "red"),
    "refused": ("⊘", "yellow"),
}
KINDS = {"text": "text", "image-by-text": "images by words", "image-by-picture": "images by the picture"}


def round_lines(one: Round) -> Iterator[Text]:
    """What a round of planning decided."""
    head = Text.assemble((f"{one['index']:>3} ", "bold"), (f"{one['action']:<13}", "cyan"))
    head.append("; ".join(one["queries"]))
    yield head
    if one["why"]:
        yield Text.assemble(" " * 6, ("why      ", "dim"), one["why"])


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


def history_lines(
    rounds: Sequence[Round], searches: Sequence[SearchRecord], titles: Titles, evidence: Mapping[str, Evidence]
) -> Iterator[Text]:
    """Every round with its searches; searches of methods without rounds of planning by themselves."""
    decided = {one["index"]: one for one in rounds}
    for index in sorted({*decided, *(search["round"] for search in searches)}):
        yield Text()
        yield from round_lines(decided[index]) if index in decided else ()
        for search in searches:
            if search["round"] == index:
                yield from search_lines(search, titles, evidence)


def _named(ids: Sequence[str], titles: Titles, evidence: Mapping[str, Evidence], shown: int) -> str:
    named = [
        f"{titles.of(evidence[id_]['document'])} ({evidence[id_]['modality']})" if id_ in evidence else id_
        for id_ in ids[:shown]
    ]
    more = len(ids) - shown
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")
