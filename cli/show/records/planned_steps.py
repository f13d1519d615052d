"""Base view of planned steps, each followed by its searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.searches import KINDS, OUTCOMES, search_lines, searches_of
from backtrail.cli.show.records.view import Shown, Written


@dataclass(frozen=True)
class DecidedStep:
    """Planned step: number, choice or judgement, query and reason; ``label`` is the label of the reason."""

    number: int
    chosen: str
    search: str
    why: str
    label: str = "why"


class DecidedView(view.View, ABC):
    """Base view of records that are planned steps. A subclass converts its record."""

    template = "planned_steps.html"
    heading: str = "Rounds"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self._seen: set[int] = set()

    @abstractmethod
    def decided(self, record: Any) -> DecidedStep:
        """Convert a record to the common form."""

    def live(self, written: Written) -> Iterator[Text]:
        """Yield new steps; their results are shown by the view of searches."""
        for step in self._steps({self.key: written.records(self.key)}):
            if step.number not in self._seen:
                self._seen.add(step.number)
                yield from decided_lines(step)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """Yield each step with its searches after a blank line."""
        for step in self._steps(shown.values):
            yield Text()
            yield from decided_lines(step)
            for search in searches_of(shown.values, step.number):
                yield from search_lines(search, shown.titles, shown.evidence)

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the steps with their searches."""
        steps = self._steps(shown.values)
        if not steps:
            return None
        searches = {step.number: searches_of(shown.values, step.number) for step in steps}
        marks = {"search_outcomes": OUTCOMES, "search_kinds": KINDS}
        return {"heading": self.heading, "decided": steps, "searches": searches, **marks}

    def numbers(self, values: Mapping[str, Any]) -> set[int]:
        """Return the numbers of the steps."""
        return {step.number for step in self._steps(values)}

    def _steps(self, values: Mapping[str, Any]) -> list[DecidedStep]:
        return [self.decided(record) for record in values.get(self.key, ())]


def decided_lines(step: DecidedStep) -> Iterator[Text]:
    """Yield the lines of a planned step."""
    yield Text.assemble((f"{step.number:>3} ", "bold"), (f"{step.chosen:<18}", "cyan"), step.search)
    if step.why:
        yield Text.assemble(" " * 6, (f"{step.label:<9}", "dim"), step.why)
