"""What edges are made of, kept beside them so that the next generation need not read every document again.

``findings.json`` holds what each document is called; ``references.npy`` and ``names.npy`` what texts say, before what
too many say is left out; ``linked.npy`` the pairs of documents that links of authors join. All rows are those of the
generation.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.corpus.edges.edge import Edge
from backtrail.tools.corpus.edges.linked_pairs import LinkedPairs
from backtrail.tools.corpus.edges.references import Phrase, Reference, sole_owners
from backtrail.tools.corpus.generation import Rows
from backtrail.tools.corpus.writing.array_file import write_array
from backtrail.tools.corpus.writing.difference import Difference

_TEXTS, _REFERENCES, _NAMES, _LINKED = "findings.json", "references.npy", "names.npy", "linked.npy"


@dataclass(frozen=True)
class Findings:
    """Of one generation, by its rows.

    Attributes:
        called: what each document is called.
        references: which documents components name.
        parts: edges within documents.
        names: edges by rare names, before those that a reference replaces are left out.
        linked: pairs of documents that a link joins, in its direction.
        loose: documents that no link leaves or reaches.
    """

    called: Sequence[Sequence[Phrase]]
    references: Sequence[Reference]
    parts: Sequence[Edge]
    names: Sequence[Edge]
    linked: LinkedPairs
    loose: frozenset[int]


def save_findings(folder: Path, found: Findings) -> None:
    """Store all but the parts, which are edges as they are."""
    texts = {
        "called": [[[list(phrase.words), phrase.exact] for phrase in phrases] for phrases in found.called],
        "references": [one.anchor for one in found.references],
        "names": [one.anchor for one in found.names],
    }
    (folder / _TEXTS).write_text(json.dumps(texts, ensure_ascii=False), "utf-8")
    write_array(folder / _REFERENCES, np.array([one[:5] for one in found.references], np.int64).reshape(-1, 5))
    write_array(folder / _NAMES, np.array([one[:4] for one in found.names], np.int64).reshape(-1, 4))
    write_array(folder / _LINKED, found.linked.array())


class Moved:
    """Rows of a previous generation as rows of the next; -1 for what is gone."""

    def __init__(self, difference: Difference, ids: Sequence[str]) -> None:
        """Follow the rows; ``ids`` are those of the next generation's documents."""
        self.documents = _ranks(difference.documents)
        self.components = _ranks(difference.components)
        row_of = {id_: row for row, id_ in enumerate(ids)}
        held = difference.previous.documents.ids
        again = (row_of.get(id_, -1) for id_ in held)
        self.targets: Rows = np.fromiter(again, np.int64, len(held))
        """Of documents, the row of the one that has their id now."""


def _ranks(stay: NDArray[np.bool_]) -> Rows:
    return np.where(stay, np.cumsum(stay) - 1, -1)


def findings_of(folder: Path, difference: Difference, moved: Moved, parts: Collection[Edge]) -> Findings | None:
    """What the previous generation found of the documents that stay, by the rows of the next; None if it is not kept.

    Args:
        folder: of its edges.
        parts: its edges within documents.
    """
    try:
        texts = json.loads((folder / _TEXTS).read_bytes())
        references, names = np.load(folder / _REFERENCES), np.load(folder / _NAMES)
        linked = np.load(folder / _LINKED)
    except (OSError, ValueError, EOFError):
        return None
    called = [[Phrase(tuple(words), exact) for words, exact in phrases] for phrases in texts["called"]]
    if len(called) != len(difference.documents):
        return None
    rows, places, targets = moved.documents, moved.components, moved.targets
    before = LinkedPairs(linked)
    joined = np.column_stack([rows[linked[:, 0]], targets[linked[:, 1]]])
    return Findings(
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
        frozenset(rows[before.loose(len(called))].tolist()),
    )


def renamed(before: Sequence[Sequence[Phrase]], targets: Rows, now: Sequence[Sequence[Phrase]]) -> set[Phrase]:
    """Phrases that name another document than before, or one no more, or now."""
    earlier = {phrase: int(targets[row]) for phrase, row in sole_owners(before).items()}
    present = sole_owners(now)
    return {phrase for phrase in earlier.keys() | present.keys() if earlier.get(phrase) != present.get(phrase)}
