"""View of a planning graph: as a tree, Mermaid and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup
from rich.console import RenderableType
from rich.text import Text

from backtrail.cli.show.planning.lines import MARKS, node_text, planning_tree, search_words, summary_line
from backtrail.cli.show.planning.mermaid import planning_mermaid
from backtrail.cli.show.planning.svg import planning_svg
from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Drawing, Shown, Written
from backtrail.state.mmapg.planning_graph import is_dead


class View(view.View):
    """New nodes live, and the whole graph."""

    drawable = True
    template = "planning_graph.html"

    def live(self, written: Written) -> Iterator[Text]:
        """Yield each new node."""
        for node in written.records(self.key):
            yield node_text(node, written.titles, written.evidence)

    def lines(self, shown: Shown) -> Iterator[RenderableType]:
        """Yield the tree and a summary of its branches."""
        if nodes := shown.values.get(self.key):
            yield planning_tree(nodes, shown.titles, shown.evidence)
            yield Text(summary_line(nodes), "dim")

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the drawing and the nodes."""
        nodes = shown.values.get(self.key)
        if not nodes:
            return None
        return {
            "planning_graph": nodes,
            "drawing": Markup(planning_svg(nodes)),  # planning_svg escapes what it draws
            "planning_summary": summary_line(nodes),
            "planning_marks": MARKS,
            "search_words": search_words,
            "is_dead": is_dead,
        }

    def drawing(self, values: Mapping[str, Any]) -> Drawing | None:
        """Return the graph as Mermaid and SVG."""
        nodes = values.get(self.key)
        return Drawing(planning_mermaid(nodes), planning_svg(nodes), len(nodes)) if nodes else None
