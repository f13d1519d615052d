"""Base class of views. A view shows one kind of record: live, in a terminal, on a page, as JSON.

The base class shows any record plainly, so that a method with a new kind can be traced without a view for it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from backtrail.cli.show.titles import Titles
from backtrail.state.evidence import Evidence

PLAIN_CHARACTERS = 300


@dataclass(frozen=True)
class Written:
    """Update of a node in a live run, and the evidence known so far."""

    writes: Mapping[str, Any]
    titles: Titles
    evidence: Mapping[str, Evidence]

    def records(self, key: str) -> list[Any]:
        """Return the records appended under a key; none if it was reset or not written."""
        written = self.writes.get(key)
        return written if isinstance(written, list) else []


@dataclass(frozen=True)
class Shown:
    """State of a run whose records are shown.

    Args:
        steps_shown: numbers of the steps that other records of the run show.
    """

    values: Mapping[str, Any]
    titles: Titles
    steps_shown: Collection[int] = ()

    @property
    def evidence(self) -> Mapping[str, Evidence]:
        """Evidence by component."""
        return self.values.get("evidence", {})


@dataclass(frozen=True)
class Drawing:
    """Drawing of a record that is a graph."""

    mermaid: str
    svg: str
    nodes: int


class View:
    """View of one kind of record for one run; subclasses show particular kinds.

    Args:
        key: the records' key in the state.
    """

    single: bool = False
    """Whether a run has one such record instead of a list."""
    drawable: bool = False
    """Whether the records are a graph that can be drawn."""
    template: str = "plain.html"
    """Template of the part of the page."""

    def __init__(self, key: str) -> None:
        self.key = key

    def live(self, written: Written) -> Iterator[Text]:
        """Yield lines to print during the run."""
        for record in written.records(self.key):
            yield self._line(record)

    def lines(self, shown: Shown) -> Iterator[RenderableType]:
        """Yield lines of a trace in a terminal."""
        value = shown.values.get(self.key)
        for record in value if isinstance(value, list) else [value] if value else []:
            yield self._line(record)

    def notes(self, shown: Shown) -> Iterator[Text]:
        """Yield lines below all records."""
        return iter(())

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the variables of the template; None to show nothing."""
        lines = [str(line) for line in View.lines(self, shown)]
        return {"key": self.key, "lines": lines} if lines else None

    def plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the records for JSON."""
        return {self.key: values.get(self.key, None if self.single else [])}

    def numbers(self, values: Mapping[str, Any]) -> set[int]:
        """Return the numbers of the steps that the records show."""
        return set()

    def documents(self, values: Mapping[str, Any]) -> list[str]:
        """Return the documents that the records name only by id."""
        return []

    def drawing(self, values: Mapping[str, Any]) -> Drawing | None:
        """Return the records' drawing; None if they are no graph or the run has none."""
        return None

    def _line(self, record: Any) -> Text:
        text = " ".join(json.dumps(record, ensure_ascii=False, default=str).split())
        if len(text) > PLAIN_CHARACTERS:
            text = text[: PLAIN_CHARACTERS - 1] + "…"
        return Text.assemble("    ", (f"{self.key} ", "dim"), text)
