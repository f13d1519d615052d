"""View of the plan: subqueries with status and answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
from backtrail.state.subquery import Subquery

STATUSES = {"open": ("○", "yellow"), "answered": ("●", "green"), "given_up": ("×", "red")}


class View(view.View):
    """Plan when it is made, and its final state."""

    template = "subqueries.html"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self._seen: set[str] = set()

    def live(self, written: Written) -> Iterator[Text]:
        """Yield new subqueries; the hop that answers one shows the answer."""
        new = [one for one in written.records(self.key) if one["id"] not in self._seen]
        self._seen.update(one["id"] for one in new)
        yield from subquery_lines(new)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """The current plan."""
        yield from subquery_lines(shown.values.get(self.key, ()), abstained=_abstained(shown))

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """The current plan."""
        subqueries = shown.values.get(self.key)
        given = {"subqueries": subqueries, "statuses": STATUSES, "abstained": _abstained(shown)}
        return given if subqueries else None


def _abstained(shown: Shown) -> bool:
    return bool((shown.values.get("answer") or {}).get("abstained"))


def subquery_lines(subqueries: Sequence[Subquery], *, abstained: bool = False) -> Iterator[Text]:
    """Yield a line for each subquery with its status and answer.

    Args:
        abstained: the run has no answer, so what a subquery found is a candidate only.
    """
    for subquery in subqueries:
        mark, colour = STATUSES[subquery["status"]]
        line = Text.assemble("    ", (f"{mark} ", colour), (f"{subquery['id']} ", "bold"), subquery["text"])
        if subquery["depends_on"]:
            line.append(f"  after {', '.join(subquery['depends_on'])}", "dim")
        if subquery["answer"] and abstained:
            line.append(f"  candidate, not supported: {subquery['answer']}", "dim")
        elif subquery["answer"]:
            line.append(f"  → {subquery['answer']}", "green")
        yield line
