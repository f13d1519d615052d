"""Live view of a run: active nodes, new records, failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from backtrail.cli.show.records.find import views_of
from backtrail.cli.show.records.view import Written
from backtrail.cli.show.titles import Titles
from backtrail.cli.show.transient_steps import TransientSteps
from backtrail.graphs.method import Method
from backtrail.state.evidence import Evidence

WORDS = {
    "contextualize": "Reading the question",
    "decompose": "Making a plan",
    "orchestrate": "Choosing the next action",
    "backtrack": "Checking the route",
    "traverse_documents": "Searching documents",
    "select_documents": "Choosing documents",
    "traverse_components": "Searching components",
    "select_components": "Choosing components",
    "evaluate": "Judging what was found",
    "plan": "Planning anew",
    "retrieve": "Searching",
    "overall_plan": "Making a plan",
    "plan_next": "Choosing the next node",
    "reason": "Reading what was found",
    "reason_over_graph": "Answering from the whole graph",
    "reformulate": "Reformulating the query",
    "route_search": "Choosing what to search",
    "choose_path": "Choosing what to search",
    "write_gold_query": "Completing the question",
    "think_search": "Thinking of the next search",
    "search_text": "Searching pages",
    "search_images": "Searching pictures",
    "grade_documents": "Grading what was found",
    "check_answer": "Checking the draft",
    "judge_intents": "Judging what is asked",
    "divide": "Dividing the question",
    "collect": "Collecting the answers",
    "settle": "Preparing the vote",
    "vote": "Voting",
    "merge": "Merging answers that agree",
    "refine": "Asking the expert",
    "deliver": "Handing over the answer",
    "rerank": "Ranking the evidence",
    "answer": "Writing the answer",
}


class Live:
    """Live view of a run's updates. Silent unless ``shown``.

    Args:
        trail: print every step. Without it steps pass by on a terminal alone; failures stay.
    """

    def __init__(self, console: Console, titles: Titles, method: Method, *, shown: bool, trail: bool = True) -> None:
        self._console = console
        self._titles = titles
        self._shown = shown
        self._evidence: dict[str, Evidence] = {}
        self._views = views_of(method)
        drawn = shown and console.is_terminal
        self._trail = trail
        self._passing = TransientSteps(console) if drawn and not trail else None
        self._status = self._passing or (console.status("Starting", spinner="dots") if drawn else None)

    def start(self) -> None:
        """Show the status line."""
        if self._status:
            self._status.start()

    def stop(self) -> None:
        """Clear the status line."""
        if self._status:
            self._status.stop()

    def event(self, mode: str, chunk: Any) -> None:
        """Handle an event of the streams "tasks" and "updates"."""
        if not self._shown:
            return
        if mode == "tasks" and "triggers" in chunk and self._status:
            node = str(chunk["name"])
            self._status.update(WORDS.get(node, node.replace("_", " ").capitalize()))
        elif mode == "updates":
            for writes in chunk.values():
                if isinstance(writes, Mapping):
                    self._update(writes)

    def _update(self, writes: Mapping[str, Any]) -> None:
        evidence = writes.get("evidence")
        if isinstance(evidence, dict):
            self._evidence.update(evidence)
            self._titles.note(evidence)
        written = Written(writes, self._titles, self._evidence)
        for view in self._views:
            if self._passing:
                self._passing.add(view.live(written))
            elif self._trail:
                self._print(*view.live(written))
        if isinstance(failures := writes.get("failures"), list):
            self._print(*(Text(f"    ! {failure['node']}: {failure['message']}", "red") for failure in failures))

    def _print(self, *lines: Text) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)
