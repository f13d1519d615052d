"""Lines on the knowledge graph of a corpus: its state, and the relations of one entity."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.tools.knowledge.protocol import KnowledgeReader

NEIGHBOURS_SHOWN = 40


def neighbourhood(graph: KnowledgeReader, corpus: str, name: str) -> dict[str, Any]:
    """Return an entity with its relations, heaviest first, and the names at both ends.

    Raises:
        SettingsError: the graph has no entity of that name.
    """
    id_ = graph.named([name]).get(name)
    if id_ is None:
        raise SettingsError(
            f"The knowledge graph of {corpus!r} has no entity called {name!r}, or several. "
            f"Find its name with: backtrail corpus graph {corpus} --export FILE"
        )
    entity = graph.entities([id_])[id_]
    touching = graph.relations_of([id_])[id_]
    ends = graph.entities({end for relation in touching for end in (relation.head, relation.tail)})
    return {
        "corpus": corpus,
        "entity": dataclasses.asdict(entity),
        "relations": [
            {
                **dataclasses.asdict(relation),
                "head_name": ends[relation.head].name,
                "tail_name": ends[relation.tail].name,
            }
            for relation in touching
        ],
    }


def show_neighbourhood(found: dict[str, Any]) -> None:
    """Print a neighbourhood."""
    from rich.markup import escape

    from backtrail.cli.show.console import out

    entity = found["entity"]
    kind = f" [dim]({escape(entity['kind'])})[/]" if entity["kind"] else ""
    out.print(f"[bold]{escape(entity['name'])}[/]{kind}", soft_wrap=True)
    if entity["description"]:
        out.print(escape(entity["description"]), soft_wrap=True)
    for label, ids in (("from", entity["components"]), ("pictures", entity["pictures"])):
        if ids:
            more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
            out.print(f"[dim]{label}: {escape(', '.join(ids[:5]))}{more}[/]", soft_wrap=True)
    for relation in found["relations"][:NEIGHBOURS_SHOWN]:
        line = f"{relation['head_name']} —{relation['relation']}→ {relation['tail_name']}"
        out.print(
            f"  {escape(line)} [dim]{relation['weight']:g} {escape(relation['components'][0])}[/]", soft_wrap=True
        )
    if len(found["relations"]) > NEIGHBOURS_SHOWN:
        out.print(f"… and {len(found['relations']) - NEIGHBOURS_SHOWN} more relations; --json lists all.", style="dim")


def progress_lines(knowledge: dict[str, Any]) -> list[str]:
    """Return lines on how much of a corpus is in its knowledge graph."""
    lines = [f"knowledge graph ({knowledge['extractor']}): {knowledge['read']} components read"]
    if "chunks" in knowledge:
        lines[0] += f", {knowledge['chunks']} parts in this run"
        if knowledge["calls"]:
            tokens = knowledge["input_tokens"] + knowledge["output_tokens"]
            lines[0] += f", {knowledge['calls']} calls, {tokens} tokens, ${knowledge['cost_usd']:.4f}"
    behind = knowledge["failed"] + knowledge["pending"]
    if behind:
        lines.append(
            f"knowledge graph is stale: {behind} components are new, changed or failed and not in it. "
            "Read them with --knowledge-graph"
        )
    return lines
