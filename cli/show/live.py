"""What a run is doing, while it does it: the node at work, the plan, each hop, each failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from backtrail.cli.show.decided_steps import decided_round, decided_turn
from backtrail.cli.show.hop_lines import hop_lines, subquery_lines
from backtrail.cli.show.path_lines import path_lines
from backtrail.cli.show.planning_lines import node_text
from backtrail.cli.show.search_lines import decided_lines, search_lines
from backtrail.cli.show.titles import Titles
from backtrail.cli.show.vote_lines import reply_lines, vote_lines
from backtrail.state.evidence import Evidence
from backtrail.state.hm_rag.memory import Position

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
    """Prints a run's updates as they stream in. Silent when not shown."""

    def __init__(self, console: Console, titles: Titles, *, shown: bool) -> None:
        self._console = console
        self._titles = titles
        self._shown = shown
        self._evidence: dict[str, Evidence] = {}
        self._positions: dict[str, Position] = {}
        self._status = console.status("Starting", spinner="dots") if shown and console.is_terminal else None

    def start(self) -> None:
        """Begin to show what is going on."""
        if self._status:
            self._status.start()

    def stop(self) -> None:
        """Clear the status line."""
        if self._status:
            self._status.stop()

    def event(self, mode: str, chunk: Any) -> None:
        """One event of the streams "tasks" and "updates"."""
        if not self._shown:
            return
        if mode == "tasks" and "triggers" in chunk and self._status:
            self._status.update(WORDS.get(chunk["name"], chunk["name"].replace("_", " ").capitalize()))
        elif mode == "updates":
            for node, writes in chunk.items():
                if isinstance(writes, Mapping):
                    self._update(node, writes)

    def _update(self, node: str, writes: Mapping[str, Any]) -> None:
        evidence = writes.get("evidence")
        if isinstance(evidence, dict):
            self._evidence.update(evidence)
            self._titles.note(evidence)
        if node in ("decompose", "divide", "plan") and isinstance(planned := writes.get("subqueries"), list):
            self._print(*subquery_lines(planned))
        if isinstance(hops := writes.get("hops"), list):
            for hop in hops:
                self._print(*hop_lines(hop, self._titles, self._evidence))
        for reply in replies if isinstance(replies := writes.get("replies"), list) else ():
            self._print(*reply_lines(reply))
        if isinstance(positions := writes.get("positions"), list):
            self._positions.update({held["source"]: held for held in positions})
        if vote := writes.get("vote"):
            self._print(*vote_lines(list(self._positions.values()), vote))
        if node == "dispatch" and isinstance(rounds := writes.get("rounds"), list):
            self._print(*(line for one in rounds for line in decided_lines(decided_round(one))))
        if node == "choose_path" and (path := writes.get("path")):
            self._print(*path_lines(path))
        if isinstance(turns := writes.get("turns"), list):
            self._print(*(line for turn in turns for line in decided_lines(decided_turn(turn))))
        if isinstance(searches := writes.get("searches"), list):
            for search in searches:
                self._print(*search_lines(search, self._titles, self._evidence))
        if isinstance(nodes := writes.get("planning_graph"), list):
            self._print(*(node_text(grown, self._titles, self._evidence) for grown in nodes))
        if isinstance(failures := writes.get("failures"), list):
            self._print(*(Text(f"    ! {failure['node']}: {failure['message']}", "red") for failure in failures))

    def _print(self, *lines: Text) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)
