"""Sources as the reader sees them; long tables show the rows that fit, with their numbers."""

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
    """A source with the text of it that is read; ``rows`` are the numbers that its shown rows have in the table."""

    component: Component
    text: EvidenceText
    rows: tuple[int, ...]

    def citation(self, piece: CitedPiece) -> Citation:
        """What a cited piece points at: the row by its number in the table, with its cells as the quote."""
        return citation(piece, self.component, None, self.text, self.rows)


def readable_sources(
    corpus: CorpusReader,
    instruction: str,
    ranked: Sequence[tuple[str, float]],
    evidence: dict[str, Evidence],
    *,
    links: bool,
) -> dict[str, Readable]:
    """Sources by id in the order given, as far as the corpus still holds them. Reads the corpus (blocking).

    Args:
        links: tell of a source that a search found by itself which other source links to it (ours).
    """
    held = corpus.components([key for key, _ in ranked])
    documents = corpus.documents({component.document for component in held.values()})
    covering = Covering(corpus, instruction)
    led = _led(covering, held) if links else {}
    read: dict[str, Readable] = {}
    for key, score in ranked:
        if key not in held:  # an ingest may have taken it away
            continue
        component, rows = _fitting_rows(held[key], covering)
        text = evidence_text(component, documents.get(component.document), round(score, 4))
        found = evidence.get(key)
        if found and found.get("parent") in held:
            text = text.model_copy(update={"parent": found.get("parent"), "parent_row": found.get("parent_row")})
        elif key in led:
            text = text.model_copy(update={"parent": led[key]["parent"], "parent_row": led[key]["row"]})
        read[key] = Readable(held[key], text, rows)
    return {key: _renumbered(one, read) for key, one in read.items()}


def _led(covering: Covering, held: dict[str, Component]) -> dict[str, Path]:
    """The link from another source that together with this one covers most, if that is more than it covers alone.

    What is found at once is otherwise read without the row that says what is known of it.
    """
    own = {key: covering.cover(covering.whole(component)) for key, component in held.items()}
    best: dict[str, tuple[float, str, int]] = {}
    paths: dict[str, Path] = {}
    for parent, path, child in memory_edges(covering.corpus, held, {}):
        along = covering.along(held[parent], path, held[child])
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
    """The row that led here by its number among the parent's shown rows; none where it is not shown."""
    row, parent = one.text.parent_row, one.text.parent
    if row is None or parent is None:
        return one
    shown = read[parent].rows
    place = shown.index(row) if row in shown else None
    return Readable(one.component, one.text.model_copy(update={"parent_row": place}), one.rows)
