"""Names of edge kinds for people."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.state.path import EdgeKind

_WORDS: dict[EdgeKind, str] = {
    "link": "by authors' links",
    "reference": "by references in the text",
    "name": "by rare names both say",
    "hierarchy": "by their place in a site or folder",
}


def edge_names(edges: Mapping[EdgeKind, int]) -> str:
    """``6 by authors' links, 2 by rare names both say``; "none" of nothing."""
    return ", ".join(f"{count} {_WORDS[kind]}" for kind, count in edges.items() if count) or "none"
