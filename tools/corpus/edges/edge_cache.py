"""Cache of findings behind derived edges, so that the next generation reads only changed documents.

``references.npy`` and ``names.npy`` are the findings before too frequent ones are dropped, with their anchors in
``findings.json``; ``linked.npy`` are the pairs of linked documents. ``title_phrases.py`` describes the files of the
title phrases. All rows are those of the generation.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import load_array
from backtrail.tools.arrays.text_rows import TextRows
from backtrail.tools.arrays.vector_rows import Mask, Rows
from backtrail.tools.corpus.difference import Difference
from backtrail.tools.corpus.edges.component_text import Phrase
from backtrail.tools.corpus.edges.edge import Edge
from backtrail.tools.corpus.edges.linked_pairs import LinkedPairs
from backtrail.tools.corpus.edges.references import Reference
from backtrail.tools.corpus.edges.title_phrases import TitlePhrases, open_title_phrases, phrase_hash, save_title_phrases

_TEXTS, _REFERENCES, _NAMES, _LINKED = "findings.json", "references.npy", "names.npy", "linked.npy"


@dataclass(frozen=True)
class EdgeCache:
    """Findings of one generation, by its rows.

    Attributes:
        called: title phrases of each document.
        references: mentions of documents in components.
        parts: edges within documents.
        names: edges by rare names, before those that a reference replaces are dropped.
        linked: directed pairs of linked documents.
        loose: documents without links to or from others.
        loose_went: whether such a document was removed.
    """

    title_phrases: TitlePhrases
    references: Sequence[Reference]
    parts: Sequence[Edge]
    names: Sequence[Edge]
    linked: LinkedPairs
    loose: Mask
    loose_went: bool = False


def save_edge_cache(folder: Path, found: EdgeCache) -> None:
    """Store all but the parts, which are stored as edges."""
    texts = {
        "references": [one.anchor for one in found.references],
        "names": [one.anchor for one in found.names],
    }
    (folder / _TEXTS).write_text(json.dumps(texts, ensure_ascii=False), "utf-8")
    write_array(folder / _REFERENCES, np.array([one[:5] for one in found.references], np.int64).reshape(-1, 5))
    write_array(folder / _NAMES, np.array([one[:4] for one in found.names], np.int64).reshape(-1, 4))
    write_array(folder / _LINKED, found.linked.array())
    save_title_phrases(folder, found.title_phrases)


class Moved:
    """Maps rows of the previous generation to rows of the next; -1 for removed ones."""

    def __init__(self, difference: Difference, ids: TextRows) -> None:
        """Map the rows; ``ids`` are those of the next generation's documents."""
        self.documents = _ranks(difference.documents)
        self.components = _ranks(difference.components)
        self.targets: Rows = self.documents.copy()
        """By document row, the row of the document that now has its id."""
        gone = np.flatnonzero(~difference.documents)
        names = difference.previous.documents.ids.take(gone)
        again = ids.find(names)
        self.targets[gone] = [again.get(id_, -1) for id_ in names]


def _ranks(stay: NDArray[np.bool_]) -> Rows:
    return np.where(stay, np.cumsum(stay) - 1, -1)


def findings_of(folder: Path, difference: Difference, moved: Moved, parts: Collection[Edge]) -> EdgeCache | None:
    """Findings of the documents that stay, by the rows of the next generation; None without a cache.

    Args:
        folder: folder of the previous generation's edges.
        parts: its edges within documents.
    """
    try:
        texts = json.loads((folder / _TEXTS).read_bytes())
        references, names = load_array(folder / _REFERENCES), load_array(folder / _NAMES)
        linked, called = load_array(folder / _LINKED), open_title_phrases(folder)
    except (OSError, ValueError, EOFError):
        return None
    if len(called.start) - 1 != len(difference.documents):
        return None
    rows, places, targets = moved.documents, moved.components, moved.targets
    before = LinkedPairs(linked)
    joined = np.column_stack([rows[linked[:, 0]], targets[linked[:, 1]]])
    loose = before.loose(len(rows))
    return EdgeCache(
        called,
        [
            Reference(int(places[source]), int(rows[document]), int(targets[target]), cell, bool(kept), anchor)
            for (source, document, target, cell, kept), anchor in zip(
                references.tolist(), texts["references"], strict=True
            )
            if rows[document] >= 0
        ],
        [
            Edge(
                int(places[one.source]),
                int(rows[one.document]),
                int(places[one.target]),
                one.cell_row,
                one.kind,
                one.anchor,
            )
            for one in parts
            if places[one.source] >= 0
        ],
        [
            Edge(int(places[source]), int(rows[document]), int(places[target]), cell, "name", anchor)
            for (source, document, target, cell), anchor in zip(names.tolist(), texts["names"], strict=True)
        ],
        LinkedPairs(joined[joined[:, 0] >= 0]),
        loose[difference.documents],
        bool(np.any(loose & ~difference.documents)),
    )


def renamed(before: TitlePhrases, targets: Rows, now: TitlePhrases, changed: Iterable[Phrase]) -> set[Phrase]:
    """The phrases that name another document than before, or no longer one, or now one.

    Args:
        before: title phrases of the previous generation.
        targets: current rows of its documents.
        now: title phrases of all documents.
        changed: phrases of removed or added documents: only these can differ.
    """
    phrases = {phrase_hash(phrase.words, exact=phrase.exact): phrase for phrase in changed}
    among = np.array(list(phrases), np.uint64)
    hashes, rows = before.sole_owners(among)
    earlier = dict(zip(hashes.tolist(), targets[rows].tolist(), strict=True))
    present = dict(zip(*(found.tolist() for found in now.sole_owners(among)), strict=True))
    return {phrase for code, phrase in phrases.items() if earlier.get(code) != present.get(code)}
