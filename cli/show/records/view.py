"""A view shows one kind of record: live, in a terminal, on a page, as JSON.

What stands here shows any record plainly, so that a method with a kind of its own can be traced before anybody
writes a view for it.
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
    """What a node wrote while a run is watched, and the evidence that is known by then."""

    writes: Mapping[str, Any]
    titles: Titles
    evidence: Mapping[str, Evidence]

    def records(self, key: str) -> list[Any]:
        """The records that were appended under a key; none where it was reset or not written."""
        written = self.writes.get(key)
        return written if isinstance(written, list) else []


@dataclass(frozen=True)
class Shown:
    """A run whose records are shown.

    Args:
        told: numbers of the steps that records of the run tell of.
    """

    values: Mapping[str, Any]
    titles: Titles
    told: Collection[int] = ()

    @property
    def evidence(self) -> Mapping[str, Evidence]:
        """What was found, by component."""
        return self.values.get("evidence", {})


@dataclass(frozen=True)
class Drawing:
    """A record that is a graph, drawn."""

    mermaid: str
    svg: str
    nodes: int


class View:
    """One kind of record, for one run. Views of particular kinds say it better.

    Args:
        key: of the state, under which the records are.
    """

    single: bool = False
    """Whether a run has one such record, and no list."""
    drawable: bool = False
    """Whether the records make a graph, which can be drawn."""
    template: str = "plain.html"
    """Part of the page."""

    def __init__(self, key: str) -> None:
        self.key = key

    def live(self, written: Written) -> Iterator[Text]:
        """Lines to print while the run goes on."""
        for record in written.records(self.key):
            yield self._line(record)

    def lines(self, shown: Shown) -> Iterator[RenderableType]:
        """Lines of a trace in a terminal."""
        held = shown.values.get(self.key)
        for record in held if isinstance(held, list) else [held] if held else []:
            yield self._line(record)

    def notes(self, shown: Shown) -> Iterator[Text]:
        """Lines that stand below all records."""
        return iter(())

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """What the template is rendered with; None for nothing."""
        lines = [str(line) for line in View.lines(self, shown)]
        return {"key": self.key, "lines": lines} if lines else None

    def plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The records as JSON."""
        return {self.key: values.get(self.key, None if self.single else [])}

    def numbers(self, values: Mapping[str, Any]) -> set[int]:
        """Numbers of the steps that the records tell of, for records that belong to a step."""
        return set()

    def documents(self, values: Mapping[str, Any]) -> list[str]:
        """Documents that the records name by their ids alone."""
        return []

    def drawing(self, values: Mapping[str, Any]) -> Drawing | None:
        """The records as a graph; None for kinds that are none, and for runs without one."""
        return None

    def _line(self, record: Any) -> Text:
        said = " ".join(json.dumps(record, ensure_ascii=False, default=str).split())
        if len(said) > PLAIN_CHARACTERS:
            said = said[: PLAIN_CHARACTERS - 1] + "…"
        return Text.assemble("    ", (f"{self.key} ", "dim"), said)
