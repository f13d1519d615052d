"""Table rows that link to another found component."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.state.component import Component


def linked_rows(
    components: Mapping[str, Component],
    wanted: frozenset[str],
    rarity: Mapping[str, float],
    language: str | None = None,
) -> dict[str, tuple[str, int]]:
    """Return, per component whose document a row of a found table links to, that table and row.

    Of several rows the one that covers most of the wanted terms, then the first. ``language`` is that of the stemmed
    terms; None takes the active one.
    """
    rows: dict[str, list[tuple[str, int]]] = {}
    for key, component in components.items():
        if component.table is not None:
            for link in component.links:
                if link.row is not None and link.row < len(component.table.rows) and link.target != component.document:
                    rows.setdefault(link.target, []).append((key, link.row))
    found: dict[str, tuple[str, int]] = {}
    for key, component in components.items():
        leading = rows.get(component.document, ())
        if component.table is None and leading:
            terms_by_place = {place: _row_terms(components[place[0]], place[1], language) for place in leading}
            covered = {place: coverage(wanted, terms, rarity) for place, terms in terms_by_place.items()}
            found[key] = max(leading, key=lambda place: covered[place])
    return found


def _row_terms(component: Component, row: int, language: str | None) -> frozenset[str]:
    return content_terms(piece_text(component, {"parent": component.id, "row": row, "anchor": ""}), language)
