"""Files of a corpus's page vectors: an index of the pages, and one file of vectors for each page picture.

``<corpus>/pages/<kind>/index.json`` is a ``PageIndex``; ``<kind>/model`` repeats the name of its model;
``<kind>/vectors-<model>/ab/<key>`` are the vectors of a page (float16 [n, dimension]), named by the SHA-256 of its
picture. All are replaced atomically, so that a killed run loses at most the page that it was embedding.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from backtrail.state.page_images.settings import PageModelKind
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.errors import PagesMissing
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.home import corpus_folder

KINDS: tuple[PageModelKind, ...] = get_args(PageModelKind)
"""Kinds of page models: what their names begin with. A corpus may have vectors of one model of each kind."""


@dataclass(frozen=True)
class Page:
    """A page, with its documents and components in reading order.

    Args:
        source: path of the PDF, or SHA-256 of a stored picture, which is a page by itself.
        number: page of the PDF, from 1; 0 for a picture.
        key: of its vectors; empty if it is not embedded.
        state: size and time of its PDF when it was drawn.
    """

    source: str
    number: int
    documents: list[str]
    components: list[str]
    key: str = ""
    state: str = ""


@dataclass(frozen=True)
class PageIndex:
    """The embedded pages of a corpus, by source.

    Args:
        model: name of the page model, to open it by.
        documents: content hash of each document of the corpus when its pages were embedded, by id.
        without: why documents have no embedded page, by id.
    """

    model: str
    fingerprint: str
    dimension: int
    pages: list[Page]
    documents: dict[str, str]
    without: dict[str, str]

    def among(self, ids: Collection[str]) -> PageIndex:
        """The index without documents other than these, and without pages that only others are on."""
        pages = [page for page in self.pages if any(id_ in ids for id_ in page.documents)]
        documents, without = (
            {id_: value for id_, value in held.items() if id_ in ids} for held in (self.documents, self.without)
        )
        return replace(self, pages=pages, documents=documents, without=without)


def pages_folder(corpus: str, kind: str) -> Path:
    """The folder of a corpus's page vectors by models of a kind."""
    return corpus_folder(corpus) / "pages" / kind


def read_index(folder: Path) -> PageIndex | None:
    """Read the index of a folder; None if there is none, or it is damaged, so that it is made again."""
    try:
        held = json.loads((folder / "index.json").read_bytes())
        return PageIndex(**{**held, "pages": [Page(**page) for page in held["pages"]]})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def recorded_model(folder: Path) -> str:
    """The name of the page model of a folder, also of one with a damaged index; empty if there is none."""
    if index := read_index(folder):
        return index.model
    try:
        return (folder / "model").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def write_index(folder: Path, index: PageIndex) -> None:
    """Replace the index of a folder."""
    write_atomically(folder / "model", index.model, durable=True)
    write_atomically(folder / "index.json", json.dumps(asdict(index), ensure_ascii=False), durable=True)


def remove_unnamed(folder: Path, index: PageIndex) -> None:
    """Remove vectors that the index of a folder does not name."""
    named = {page.key for page in index.pages}
    vectors = PageVectors(folder, index.fingerprint, index.dimension)
    for file in vectors.folder.glob("??/*"):
        if file.name not in named:
            file.unlink(missing_ok=True)
    for other in folder.glob("vectors-*"):
        if other != vectors.folder:
            shutil.rmtree(other, ignore_errors=True)


class PageVectors:
    """Vectors of page pictures by one model, a file for each picture."""

    def __init__(self, folder: Path, fingerprint: str, dimension: int) -> None:
        self.folder = folder / f"vectors-{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}"
        self._dimension = dimension

    def __contains__(self, key: str) -> bool:
        """Whether a picture is embedded, with a file of a possible size."""
        path = self._path(key)
        return path.is_file() and (size := path.stat().st_size) > 0 and size % (2 * self._dimension) == 0

    def put(self, key: str, vectors: Vectors) -> None:
        """Store the vectors [n, dimension] of a picture as float16; durable when it returns."""
        write_atomically(self._path(key), vectors.astype(np.float16).tobytes(), durable=True)

    def remove(self, keys: Iterable[str]) -> None:
        """Remove the vectors of pictures."""
        for key in keys:
            self._path(key).unlink(missing_ok=True)

    def get(self, key: str, corpus: str) -> NDArray[np.float16]:
        """The vectors [n, dimension] of a picture. PagesMissing, naming the corpus, if the file is lost or damaged."""
        if key not in self:
            raise PagesMissing(corpus, f"vectors of page picture {key[:12]} are lost", "")
        return np.fromfile(self._path(key), np.float16).reshape(-1, self._dimension)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key
