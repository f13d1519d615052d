"""Display names of edge kinds."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.state.path import EdgeKind

_WORDS: dict[EdgeKind, str] = {
    "link": "by authors' links",
    "reference": "by references in the text",
    "name": "by shared rare names",
    "hierarchy": "by their place in a site or folder",
}


def edge_names(edges: Mapping[EdgeKind, int]) -> str:
    """Format counts: ``6 by authors' links, 2 by shared rare names``; "none" if there are none."""
    return ", ".join(f"{count} {_WORDS[kind]}" for kind, count in edges.items() if count) or "none"
