"""How a method counts its steps: the records that number them, and the nodes that choose the next one.

Traces show these numbers, ``budget.steps`` bounds them, and forks take them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Steps:
    """Step counting of one method.

    Args:
        word: what the method's records call a step.
        records: state key of the records of the steps.
        number: key of the step number in a record; empty if each record is a step.
        first: number of the first step.
        choosers: nodes that choose a step. Where several may run for the same step, the first to run opens it. Methods
            that run each node once have none: forks name its nodes.
        begun: state key of a chosen step without a record; empty for methods whose choosers run only once the step
            before is recorded.
    """

    word: str
    records: str
    number: str = ""
    first: int = 1
    choosers: frozenset[str] = frozenset()
    begun: str = ""

    def taken(self, values: Mapping[str, Any]) -> list[int]:
        """Return the numbers of the recorded steps, in order; several records may belong to one step."""
        records = self.records_of(values)
        if not self.number:
            return list(range(self.first, self.first + len(records)))
        numbers = {number for record in records if isinstance(number := record.get(self.number), int)}
        return sorted(number for number in numbers if number >= self.first)

    def spent(self, values: Mapping[str, Any]) -> int:
        """Count the steps for ``budget.steps``, without the record of the end."""
        ended = any(record.get("kind") == "stop" for record in self.records_of(values))
        return len(self.taken(values)) - ended

    def records_of(self, values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the well-formed records of the steps; a state written from outside may hold anything."""
        value: Any = values.get(self.records)
        records = cast("list[Any]", value) if isinstance(value, list) else []
        return [cast("Mapping[str, Any]", record) for record in records if isinstance(record, Mapping)]

    def upcoming(self, values: Mapping[str, Any]) -> int:
        """Return the number of the step that is chosen next."""
        return max(self.taken(values), default=self.first - 1) + 1 + self.is_begun(values)

    def is_begun(self, values: Mapping[str, Any]) -> bool:
        """Return whether a step is under way that has no record yet."""
        return bool(self.begun and values.get(self.begun))
