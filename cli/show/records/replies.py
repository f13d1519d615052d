"""Live view of the agents' replies to sub-questions. Afterwards the view of the vote shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
from backtrail.cli.show.records.vote import MARKS, clip
from backtrail.state.hm_rag.memory import AgentReply


class View(view.View):
    """Replies of agents, live only."""

    def live(self, written: Written) -> Iterator[Text]:
        """Yield each new reply."""
        for reply in written.records(self.key):
            yield reply_line(reply)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """Yield nothing: see the vote."""
        return iter(())

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return nothing: see the vote."""
        return None


def reply_line(reply: AgentReply) -> Text:
    """Format one agent's reply to one sub-question."""
    mark, colour = MARKS[reply["status"]]
    found = reply["retrieved"]
    line = Text.assemble("    ", (f"{mark} ", colour), (f"{reply['source']:<8}", "bold"))
    line.append(clip(reply["text"] or reply["reason"]), "default" if reply["text"] else "dim")
    line.append(f"  {_counts(len(found['components']), len(found['triplets']))}", "dim")
    return line


def _counts(components: int, triplets: int) -> str:
    parts = [f"{triplets} triplets"] if triplets else []
    return ", ".join([*parts, f"{components} components"])
