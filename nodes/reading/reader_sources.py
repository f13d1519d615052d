"""Sources as the reader sees them; long tables show their best rows, with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.memory_edges import memory_edges
from backtrail.nodes.reading.citations import citation
from backtrail.nodes.reading.component_views import ROWS_SHOWN, evidence_text
from backtrail.state.answer import Citation
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

ROWS_READ = 40
"""Rows of a longer table that are read (ours)."""


@dataclass(frozen=True)
class Readable:
    """A source with its shown text; ``rows`` are the original numbers of its shown rows."""

    component: Component
    text: EvidenceText
    rows: tuple[int, ...]

    def citation(self, piece: CitedPiece) -> Citation:
        """Convert a cited piece: a row by its original number, with its cells as the quote."""
        return citation(piece, self.component, None, self.text, self.rows)


def readable_sources(
    corpus: CorpusReader,
    instruction: str,
    ranked: Sequence[tuple[str, float]],
    evidence: dict[str, Evidence],
    *,
    links: bool,
) -> dict[str, Readable]:
    """Return the sources that the corpus still has, by id in order. Reads the corpus (blocking).

    Args:
        links: add the link from another source to sources without a path (ours).
    """
    components = corpus.components([key for key, _ in ranked])
    documents = corpus.documents({component.document for component in components.values()})
    covering = Covering(corpus, instruction)
    led = _led(covering, components) if links else {}
    read: dict[str, Readable] = {}
    for key, score in ranked:
        if key not in components:  # an ingest may have removed it
            continue
        component, rows = _fitting_rows(components[key], covering)
        text = evidence_text(component, documents.get(component.document), round(score, 4))
        found = evidence.get(key)
        if found and found.get("parent") in components:
            text = text.model_copy(update={"parent": found.get("parent"), "parent_row": found.get("parent_row")})
        elif key in led:
            text = text.model_copy(update={"parent": led[key]["parent"], "parent_row": led[key]["row"]})
        read[key] = Readable(components[key], text, rows)
    return {key: _renumbered(one, read) for key, one in read.items()}


def _led(covering: Covering, components: dict[str, Component]) -> dict[str, Path]:
    """Return the link from another source with most joint coverage, if it exceeds the source's own.

    A source found directly is otherwise read without the row that links to it.
    """
    own = {key: covering.cover(covering.whole(component)) for key, component in components.items()}
    best: dict[str, tuple[float, str, int]] = {}
    paths: dict[str, Path] = {}
    for parent, path, child in memory_edges(covering.corpus, components, {}):
        along = covering.along(components[parent], path, components[child])
        rank = (-along, parent, -1 if path["row"] is None else path["row"])
        if parent != child and along > own[child] and (child not in best or rank < best[child]):
            best[child], paths[child] = rank, path
    return paths


def _fitting_rows(component: Component, covering: Covering) -> tuple[Component, tuple[int, ...]]:
    table = component.table
    if table is None or len(table.rows) <= ROWS_SHOWN:
        return component, tuple(range(len(table.rows))) if table else ()
    rows = covering.fitting_rows(component, ROWS_READ)
    narrowed = table.model_copy(update={"rows": tuple(table.rows[row] for row in rows)})
    return component.model_copy(update={"table": narrowed}), tuple(rows)


def _renumbered(one: Readable, read: dict[str, Readable]) -> Readable:
    """Renumber the row that led here among the parent's shown rows; None if it is not shown."""
    row, parent = one.text.parent_row, one.text.parent
    if row is None or parent is None:
        return one
    shown = read[parent].rows
    place = shown.index(row) if row in shown else None
    return Readable(one.component, one.text.model_copy(update={"parent_row": place}), one.rows)
