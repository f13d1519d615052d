"""Read the derived edges of one generation."""

from __future__ import annotations

import json
from collections.abc import Collection

import numpy as np

from backtrail.state.component import Link
from backtrail.tools.arrays.mapped_array import load_array
from backtrail.tools.corpus.edges.build_edges import ANCHORS, ARRAY, EDGES, LOOSE, STARTS
from backtrail.tools.corpus.edges.edge import KINDS
from backtrail.tools.corpus.edges.folders import Folders
from backtrail.tools.corpus.generation import Generation


class StoredEdges:
    """Derived edges by the component or document that they leave. Thread-safe."""

    def __init__(self, generation: Generation) -> None:
        folder = generation.folder / EDGES
        self._generation = generation
        self._documents, self._components = generation.documents, generation.components
        self._edges = load_array(folder / ARRAY)
        self._start = load_array(folder / STARTS)
        self._anchors: list[str] = json.loads((folder / ANCHORS).read_bytes())
        self._folders = Folders(generation.documents.ids.take(load_array(folder / LOOSE)))

    def leaving(self, components: Collection[str]) -> dict[str, list[Link]]:
        """References to other documents and shared names of each known component, in that order."""
        rows = self._components.ids.find(components)
        own = self._generation.documents_of(np.array(list(rows.values()), np.int64)).tolist()
        return {
            id_: [link for link, document in self._of(row) if document != home]
            for (id_, row), home in zip(rows.items(), own, strict=True)
        }

    def within(self, component: str) -> list[Link]:
        """References of a component to tables, pictures and sections of its own document."""
        row = self._components.ids.row_of(component)
        if row is None:
            return []
        own = int(self._generation.documents_of(np.array([row]))[0])
        return [link for link, document in self._of(row) if document == own]

    def beside(self, document: str) -> list[Link]:
        """The other documents of a document's folder, if it is small."""
        return self._folders.siblings(document)

    def _of(self, row: int) -> list[tuple[Link, int]]:
        """The edges that leave a component, each with the row of its target document."""
        found: list[tuple[Link, int]] = []
        for number in range(int(self._start[row]), int(self._start[row + 1])):
            _, document, target, cell_row, kind = self._edges[number].tolist()
            link = Link(
                target=self._documents.ids[document],
                anchor=self._anchors[number],
                row=cell_row if cell_row >= 0 else None,
                component=self._components.ids[target] if target >= 0 else None,
                kind=KINDS[kind],
            )
            found.append((link, document))
        return found
