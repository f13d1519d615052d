"""Planning graph in the terminal: a tree with every node under the last of its parents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text
from rich.tree import Tree

from backtrail.cli.show.titles import Titles
from backtrail.state.evidence import Evidence
from backtrail.state.mmapg.planning_graph import PlanningNode, Search, is_dead, recovered_branches

MARKS = {
    "asked": ("?", "cyan"),
    "found": ("✓", "green"),
    "nothing found": ("✗", "red"),
    "refused": ("⊘", "yellow"),
    "answered": ("●", "green"),
    "unanswered": ("○", "red"),
    "stopped": ("■", "cyan"),
}
CONTENT_SHOWN = 300
SOURCES_SHOWN = 4


def planning_tree(nodes: Sequence[PlanningNode], titles: Titles, evidence: Mapping[str, Evidence]) -> Tree:
    """Return the graph as a tree with dead branches marked."""
    branches: dict[str, Tree] = {}
    tree = Tree("")
    for node in nodes:
        label = node_text(node, titles, evidence)
        if not branches:
            tree = branches[node["id"]] = Tree(label, guide_style="dim")
        else:
            branches[node["id"]] = branches[node["parents"][-1]].add(label)
    return tree


def node_text(node: PlanningNode, titles: Titles, evidence: Mapping[str, Evidence]) -> Text:
    """Format a node: its instruction, search, result, sources and reason."""
    mark, colour = MARKS[node["status"]]
    text = Text.assemble((f"{node['id']} ", "bold"), (f"{mark} {node['kind']}", colour))
    if is_dead(node):
        text.append(f"  [dead end: {node['status']}]", colour)
    if len(node["parents"]) > 1:
        text.append(f"  also from {', '.join(node['parents'][:-1])}", "dim")
    if node["step"]:
        text.append(f"  turn {node['step']}", "dim")
    if node["instruction"]:
        text.append(f"\n{node['instruction']}")
    if "search" in node:
        text.append(f"\n{search_words(node['search'])}", "dim")
    if node["kind"] in ("retrieval", "answer"):
        text.append(f"\n→ {_short(node['content'])}", colour if node["kind"] == "answer" else "")
    if node["sources"]:
        text.append(f"\nsources {_sources(node, titles, evidence)}", "dim")
    for conflict in node.get("conflicts", []):
        text.append(f"\n! {conflict}", "yellow")
    if node["why"]:
        text.append(f"\n{node['why']}", "dim italic")
    return text


def search_words(search: Search) -> str:
    """Summarise a search: ``corpus within 0.55, 3 queries: 41 entries, 20 examined (the bound was hit)``."""
    if search["text_base"] == "similarity":
        return f"by plain similarity: the {search['entries']} nearest"
    parts = ["along the links of its sources" if search["text_base"] == "links" else _text_part(search)]
    if search["image_queries"]:
        kind = f"{search['image_kind']} pictures by {search['image_base']}"
        parts.append(f"{kind} within {search['image_radius']:.2f}")
    bound = " (the bound was hit)" if search["capped"] else ""
    return f"{'; '.join(parts)}: {search['entries']} entries, {search['examined']} examined{bound}"


def _text_part(search: Search) -> str:
    count = len(search["text_queries"])
    queries = "1 query" if count == 1 else f"{count} queries"
    return f"{search['text_base']} within {search['text_radius']:.2f}, {queries}"


def _short(content: str) -> str:
    one_line = " ".join(content.split())
    return one_line if len(one_line) <= CONTENT_SHOWN else one_line[: CONTENT_SHOWN - 1] + "…"


def _sources(node: PlanningNode, titles: Titles, evidence: Mapping[str, Evidence]) -> str:
    named: list[str] = []
    for source in node["sources"][:SOURCES_SHOWN]:
        known = evidence.get(source)
        named.append(f"{titles.of(known['document'])} ({known['modality']})" if known else source)
    more = len(node["sources"]) - SOURCES_SHOWN
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def summary_line(nodes: Sequence[PlanningNode]) -> str:
    """Count nodes, dead ends and recovered dead ends."""
    dead = sum(is_dead(node) for node in nodes)
    recovered = len(recovered_branches(list(nodes)))
    return f"{len(nodes)} nodes, {dead} dead ends, {recovered} of them recovered from"
