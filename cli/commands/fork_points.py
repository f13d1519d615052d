"""Fork points of a run: every super-step of its latest question, by the names that trace shows.

    3             the step (round, turn) of that number: before the node that chooses it
    n5            the step that grew this node of a planning graph
    answer        before a node that ran once
    evaluate@3    before a node within a step

Nodes that ran in parallel are one super-step and run again together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backtrail.graphs.method import Method
from backtrail.graphs.steps import Steps
from backtrail.tools.checkpoints.history import thread_config
from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from backtrail.cli.commands.run_graph import Graph


@dataclass(frozen=True)
class ForkPoint:
    """Checkpoint before a super-step.

    ``step`` is the current step, None before the first and for methods without steps; ``opens`` is whether
    that step is chosen next. ``nodes`` are the nodes that run next, each once.
    """

    nodes: tuple[str, ...]
    step: int | None
    opens: bool
    config: RunnableConfig


@dataclass(frozen=True)
class ForkPoints:
    """Fork points of one run in execution order."""

    points: Sequence[ForkPoint]
    steps: Steps | None
    records: Sequence[Mapping[str, Any]]

    @property
    def numbers(self) -> list[int]:
        """Numbers of the steps that can be chosen again."""
        return [point.step for point in self.points if point.opens and point.step is not None]

    def name(self, point: ForkPoint) -> str:
        """Return the value of the option ``--at`` for a point."""
        if point.opens:
            return str(point.step)
        node = point.nodes[0]
        return node if len(self._passing(node)) == 1 else f"{node}@{point.step}"

    def find(self, wanted: str) -> ForkPoint:
        """Return the point of that name; the first, if a node ran several times within a step.

        Raises:
            SettingsError: the run has no such point; the message lists those it has.
        """
        step, (node, _, number) = self._step_of(wanted), wanted.partition("@")
        if step is not None:
            found = self._opening(step)
        else:
            passing = self._passing(node)
            found = [point for point in passing if str(point.step) == number] if number else passing
        if not found:
            raise SettingsError(f"The run has no step or node {wanted!r}. {self._instead(node)}")
        if step is None and not number and len(found) > 1:
            raise SettingsError(f"The node {node!r} ran several times. {self._instead(node)}")
        return found[0]

    def offered(self) -> str:
        """Summarise all names: ``steps 0 to 5; nodes answer, rerank; within a step, e.g. evaluate@4``."""
        ran = {node: self._at_step(node) for point in self.points for node in point.nodes}
        named = {
            f"{self.steps.word}s" if self.steps else "steps": _span(self.numbers),
            "nodes": ", ".join(node for node, names in ran.items() if len(names) == 1),
            "within a step, e.g.": ", ".join(names[-1] for names in ran.values() if len(names) > 1),
        }
        return "; ".join(f"{kind} {names}" for kind, names in named.items() if names)

    def _step_of(self, wanted: str) -> int | None:
        """Return the step of a number or of a record's id."""
        if wanted.isdecimal():
            return int(wanted)
        key = self.steps.number if self.steps else ""
        return next((record[key] for record in self.records if key and record.get("id") == wanted), None)

    def _opening(self, step: int) -> list[ForkPoint]:
        """Return the point where a step is chosen, or the refused choice that it replaced."""
        if self.steps is None or step not in self._recorded():
            return [point for point in self.points if point.opens and point.step == step]
        return [point for point in self.points if point.opens and point.step is not None and point.step <= step][-1:]

    def _recorded(self) -> set[int]:
        key = self.steps.number if self.steps else ""
        return {number for record in self.records if isinstance(number := record.get(key), int)}

    def _passing(self, node: str) -> list[ForkPoint]:
        return [point for point in self.points if node in point.nodes]

    def _at_step(self, node: str) -> list[str]:
        return [f"{node}@{point.step}" for point in self._passing(node)]

    def _instead(self, node: str) -> str:
        if len(names := self._at_step(node)) > 1:
            return f"Give --at one of: {', '.join(dict.fromkeys(names))}."
        return f"It can be forked at: {self.offered()}." if self.points else "It has no finished step yet; resume it."


async def fork_points(graph: Graph, method: Method, thread: str) -> ForkPoints:
    """Return the fork points of a thread's latest question, finished or not."""
    steps, passed, latest = method.steps, [], None
    async for snapshot in graph.aget_state_history(thread_config(thread)):
        latest = snapshot if latest is None else latest
        if (snapshot.metadata or {}).get("source") == "input":
            break  # older checkpoints belong to the previous question
        passed.append(snapshot)
    points: list[ForkPoint] = []
    step: int | None = None
    for snapshot in reversed(passed):
        nodes = tuple(dict.fromkeys(snapshot.next))
        if not nodes:
            continue
        upcoming = steps.upcoming(snapshot.values) if steps else None
        opens = steps is not None and not steps.choosers.isdisjoint(nodes) and upcoming != step
        if opens:
            step = upcoming
        elif steps is not None and upcoming is not None and steps.is_begun(snapshot.values):
            step = upcoming - 1  # a refused choice may have become the step after it
        points.append(ForkPoint(nodes, step, opens, snapshot.config))
    records = steps.records_of(latest.values) if steps and latest else []
    return ForkPoints(points, steps, records)


def _span(numbers: Sequence[int]) -> str:
    if len(numbers) < 2:
        return "".join(map(str, numbers))
    return f"{numbers[0]} to {numbers[-1]}"
