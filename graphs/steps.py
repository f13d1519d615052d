"""How methods count their steps: which node chooses the next one, and which records of the state number them.

A trace shows these numbers and a fork takes them. A method that is not in the table goes through its nodes
once and has no steps.
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
        choosers: nodes that choose a step. Where several may run for the same step, the first to run opens it.
        records: key of the state under which the records of the steps are.
        number: key under which a record holds the number of its step.
        first: number of the first step.
    """

    word: str
    choosers: frozenset[str]
    records: str
    number: str
    first: int

    def taken(self, values: Mapping[str, Any]) -> list[int]:
        """Numbers of the steps that have a record, in order; several records may belong to one step."""
        numbers = {number for record in self.records_of(values) if isinstance(number := record.get(self.number), int)}
        return sorted(number for number in numbers if number >= self.first)

    def records_of(self, values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Records of the steps, as far as they are some: a state that was written into may hold anything."""
        held: Any = values.get(self.records)
        records = cast("list[Any]", held) if isinstance(held, list) else []
        return [cast("Mapping[str, Any]", record) for record in records if isinstance(record, Mapping)]

    def upcoming(self, values: Mapping[str, Any]) -> int:
        """Number of the step that is chosen next."""
        return max(self.taken(values), default=self.first - 1) + 1


STEPS: Mapping[str, Steps] = {
    "fif": Steps("step", frozenset({"orchestrate"}), "hops", "step", first=0),
    "lilac": Steps("step", frozenset({"seed", "expand"}), "hops", "step", first=0),
    "ircot": Steps("step", frozenset({"look_up", "think"}), "hops", "step", first=0),
    "mmapg": Steps("turn", frozenset({"plan_next"}), "planning_graph", "step", first=1),
    "cogplanner": Steps("round", frozenset({"begin_round"}), "rounds", "index", first=1),
    "omnisearch": Steps("turn", frozenset({"think_search"}), "turns", "index", first=1),
    "self_rag": Steps("round", frozenset({"search_text", "rewrite_query"}), "attempts", "round", first=1),
}
