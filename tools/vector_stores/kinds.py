"""Choose the kind of vector store, by the setting or by size."""

from __future__ import annotations

import importlib
import os
import tempfile
from pathlib import Path

import numpy as np

from backtrail.state.extensions import extensions, load_extension
from backtrail.tools.errors import SettingsError
from backtrail.tools.vector_stores.chroma import chroma_url
from backtrail.tools.vector_stores.folder_store import FolderStore
from backtrail.tools.vector_stores.protocol import VectorLayer

SETTING = "BACKTRAIL_VECTOR_STORE"
KINDS = {"chroma": "ChromaStore", "binary": "BinaryStore", "lance": "LanceStore"}
"""Class by kind, in the module of the same name."""
DISTRIBUTIONS = ("chromadb", "pylance")
"""Packages of the kinds, for records of versions."""
CHROMA_UP_TO = 100_000
"""Vectors of all layers up to which ``auto`` uses Chroma: its single-threaded build takes too long for more."""


def chosen_kind(vectors: int) -> str:
    """The kind of ``$BACKTRAIL_VECTOR_STORE``, else Chroma on a server or for few vectors, else binary.

    Raises:
        SettingsError: the variable names an unknown kind.
    """
    named = os.environ.get(SETTING) or "auto"
    kinds = (*KINDS, *extensions("vector_stores"))
    if named in kinds:
        return named
    if named != "auto":
        raise SettingsError(f"{SETTING} cannot be {named!r}. Use one of: auto, {', '.join(kinds)}.")
    return "chroma" if vectors <= CHROMA_UP_TO or chroma_url() is not None else "binary"


def store_at(kind: str, folder: Path, name: str) -> FolderStore:
    """A store of a kind in a folder, without I/O. DependencyMissing is raised on first use."""
    if kind not in KINDS:
        return load_extension("vector_stores", kind, type)(folder, name)
    module = importlib.import_module(f"backtrail.tools.vector_stores.{kind}")
    return getattr(module, KINDS[kind])(folder, name)


def finds_a_vector(kind: str) -> bool:
    """Whether a kind works on this machine: store two vectors and find one. Raises what the store raises."""
    layer = VectorLayer(np.arange(2), np.eye(2, dtype=np.float32), "try")
    with tempfile.TemporaryDirectory() as folder:
        store = store_at(kind, Path(folder) / "store", "try")
        store.build({"vectors": layer}, lambda _: None)
        try:
            found = store.search("vectors", layer.vectors[1], 1)
        finally:
            store.close()
    return found is not None and 1 in found
