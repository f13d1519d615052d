"""View of searches: kind, query and outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
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


class View(view.View):
    """Searches; in a trace only those that belong to no planned step."""

    template = "searches.html"

    def live(self, written: Written) -> Iterator[Text]:
        """Yield each finished search."""
        for search in written.records(self.key):
            yield from search_lines(search, written.titles, written.evidence)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """Yield searches by round, each after a blank line."""
        for _, together in groupby(self._alone(shown), lambda search: search["round"]):
            yield Text()
            for search in together:
                yield from search_lines(search, shown.titles, shown.evidence)

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the searches in order."""
        alone = self._alone(shown)
        return {"searches": alone, "search_outcomes": OUTCOMES, "search_kinds": KINDS} if alone else None

    def _alone(self, shown: Shown) -> list[SearchRecord]:
        return [search for search in shown.values.get(self.key, ()) if search["round"] not in shown.steps_shown]


def searches_of(values: Mapping[str, Any], number: int) -> list[SearchRecord]:
    """Return the searches of a step."""
    return [search for search in values.get("searches", ()) if search["round"] == number]


def search_lines(
    search: SearchRecord, titles: Titles, evidence: Mapping[str, Evidence], found: int = 5
) -> Iterator[Text]:
    """Yield a search with its results.

    Args:
        found: maximum number of results to name.
    """
    mark, colour = OUTCOMES[search["outcome"]]
    yield Text.assemble(" " * 4, (f"{mark} ", colour), (f"{KINDS[search['kind']]}: ", colour), search["query"])
    if search["found"]:
        yield Text.assemble(" " * 6, ("found    ", "dim"), _named(search["found"], titles, evidence, found))
    if search["reason"]:
        yield Text.assemble(" " * 6, (f"{search['outcome']:<9}", colour), search["reason"])


def _named(ids: Sequence[str], titles: Titles, evidence: Mapping[str, Evidence], shown: int) -> str:
    named = [
        f"{titles.of(evidence[id_]['document'])} ({evidence[id_]['modality']})" if id_ in evidence else id_
        for id_ in ids[:shown]
    ]
    more = len(ids) - shown
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")
