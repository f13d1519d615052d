"""How a method counts its steps: which records of its state number them, and which nodes choose the next one.

A trace shows these numbers, ``budget.steps`` bounds them, and a fork takes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Steps:
    """How one method counts.

    Args:
        word: what the method's records call a step.
        records: key of the state under which the records of the steps are.
        number: key under which a record holds the number of its step; empty where each record is a step of its own.
        first: number of the first step.
        choosers: nodes that choose a step. Where several may run for the same step, the first to run opens it. A
            method that comes by each node once has none: forks name its nodes.
        begun: key of the state under which a step stands that is chosen and has no record yet; empty for methods
            whose choosers come by only once the step before them is recorded.
    """

    word: str
    records: str
    number: str = ""
    first: int = 1
    choosers: frozenset[str] = frozenset()
    begun: str = ""

    def taken(self, values: Mapping[str, Any]) -> list[int]:
        """Numbers of the steps that have a record, in order; several records may belong to one step."""
        records = self.records_of(values)
        if not self.number:
            return list(range(self.first, self.first + len(records)))
        numbers = {number for record in records if isinstance(number := record.get(self.number), int)}
        return sorted(number for number in numbers if number >= self.first)

    def spent(self, values: Mapping[str, Any]) -> int:
        """How many steps ``budget.steps`` counts. The record of the end is none: a run at its ceiling still has one."""
        ended = any(record.get("kind") == "stop" for record in self.records_of(values))
        return len(self.taken(values)) - ended

    def records_of(self, values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Records of the steps, as far as they are some: a state that was written into may hold anything."""
        held: Any = values.get(self.records)
        records = cast("list[Any]", held) if isinstance(held, list) else []
        return [cast("Mapping[str, Any]", record) for record in records if isinstance(record, Mapping)]

    def upcoming(self, values: Mapping[str, Any]) -> int:
        """Number of the step that is chosen next."""
        return max(self.taken(values), default=self.first - 1) + 1 + self.is_begun(values)

    def is_begun(self, values: Mapping[str, Any]) -> bool:
        """Whether a step is under way that has no record yet."""
        return bool(self.begun and values.get(self.begun))
