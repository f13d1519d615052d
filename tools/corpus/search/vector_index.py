"""The approximate index of a generation's vectors: which kind it is, how it is built, how it is opened.

``chroma`` is a graph of neighbours (HNSW) in Chroma, ``binary`` scans the signs of all vectors. Layers of up to
``EXACT_UP_TO`` rows are scored exactly, and a graph of them would never be asked. Chroma serves from there up to
``CHROMA_UP_TO`` vectors; beyond, a graph that one thread builds takes longer than everything else (docs/scaling.md).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, Protocol, cast, get_args

from backtrail.tools.corpus.generation import Generation, Layer, Mask, Rows
from backtrail.tools.corpus.protocol import Vectors
from backtrail.tools.corpus.search.binary_index import BINARY, BinaryIndex, build_binary
from backtrail.tools.corpus.search.chroma_index import ChromaIndex, build_chroma, chroma_url
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.errors import SettingsError

IndexKind = Literal["chroma", "binary"]
EXACT_UP_TO = 25_000
"""Rows of a layer: below, one matrix product beats a query of the index."""
CHROMA_UP_TO = 50_000
"""Vectors of all layers together (docs/scaling.md)."""


class VectorIndex(Protocol):
    """One generation's vectors, opened for searching. Safe to share between threads."""

    most_neighbours: int
    """More are not asked for: the whole layer is scored instead."""
    narrows: bool
    """Whether it searches among some rows of a layer."""

    def nearest(self, layer: str, query: Vectors, count: int, among: Mask | None = None) -> Rows:
        """Rows of about the ``count`` nearest vectors of a layer to one [dimension].

        ``among`` restricts to some of the rows [n], where the index narrows.
        """
        ...

    def counts(self) -> dict[str, int]:
        """Vectors held, by layer."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


def chosen_kind(layers: Collection[int]) -> IndexKind:
    """The kind for layers of so many vectors: that of ``$BACKTRAIL_VECTOR_INDEX``, else by their number.

    A Chroma server that is named is used for any number.

    Raises:
        SettingsError: the variable names no kind.
    """
    named = os.environ.get("BACKTRAIL_VECTOR_INDEX") or "auto"
    if named in get_args(IndexKind):
        return cast("IndexKind", named)
    if named != "auto":
        raise SettingsError(f"BACKTRAIL_VECTOR_INDEX cannot be {named!r}. Use auto, chroma or binary.")
    serves = sum(layers) <= CHROMA_UP_TO and max(layers, default=0) > EXACT_UP_TO
    return "chroma" if serves or chroma_url() is not None else "binary"


def stored_kind(generation: Path) -> IndexKind:
    """The kind that a generation was built with."""
    return "binary" if (generation / BINARY).is_dir() else "chroma"


def build_index(generation: Generation, previous: Generation | None, uid: str, progress: Progress) -> None:
    """Index a generation's vectors, by difference to the previous generation where that has the same kind of index."""
    sizes = [len(layer) for layer in generation.by_name.values()]
    progress.stage("index", sum(sizes))
    if chosen_kind(sizes) == "binary":
        old = previous.folder / BINARY if previous else None
        build_binary(
            generation.folder / BINARY, generation.by_name, old, previous.by_name if previous else None, progress
        )
    else:
        build_chroma(generation, previous, uid, progress)


def open_index(folder: Path, layers: Mapping[str, Layer], number: int, uid: str) -> VectorIndex:
    """The index of some layers, by name, in the folder of their generation, which has this number.

    Raises:
        ValueError: it is absent, damaged, or does not hold the rows of the layers.
    """
    if stored_kind(folder) == "binary":
        return BinaryIndex(folder / BINARY, layers)
    return ChromaIndex(folder, layers, number, uid)
