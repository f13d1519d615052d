"""Files of a corpus's page vectors: an index of the pages, and one file of vectors for each page picture.

``<corpus>/pages/<kind>/index.json`` is a ``PageIndex``; ``<kind>/<model>/ab/<key>`` are the vectors of a page (float16
[n, dimension]), named by the SHA-256 of its picture. Both are replaced atomically, so that a killed run loses at most
the page that it was embedding.
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
_INDEX = "index.json"


@dataclass(frozen=True)
class Page:
    """An embedded page: key of its vectors, place (see ``PagePlace``), documents and components in reading order."""

    key: str
    source: str
    number: int
    documents: tuple[str, ...]
    components: tuple[str, ...]


@dataclass(frozen=True)
class PageIndex:
    """The embedded pages of a corpus.

    Args:
        model: name of the page model, to open it by.
        files: SHA-256 of each PDF when its pages were drawn, by path.
        documents: content hash of each document when its pages were embedded, by id.
        without: why documents have no embedded page, by id.
    """

    model: str
    fingerprint: str
    dimension: int
    files: dict[str, str]
    pages: tuple[Page, ...]
    documents: dict[str, str]
    without: dict[str, str]

    def among(self, ids: Collection[str]) -> PageIndex:
        """The index without documents other than these, and without pages that only others are on."""
        pages = tuple(page for page in self.pages if any(id_ in ids for id_ in page.documents))
        kept = {id_: value for id_, value in self.documents.items() if id_ in ids}
        files = {path: value for path, value in self.files.items() if path in {page.source for page in pages}}
        reasons = {id_: reason for id_, reason in self.without.items() if id_ in ids}
        return replace(self, files=files, pages=pages, documents=kept, without=reasons)


def pages_folder(corpus: str, kind: str) -> Path:
    """The folder of a corpus's page vectors by models of a kind."""
    return corpus_folder(corpus) / "pages" / kind


def read_index(folder: Path) -> PageIndex | None:
    """Read the index of a folder; None if there is none, or it is damaged, so that it is made again."""
    try:
        held = json.loads((folder / _INDEX).read_bytes())
        pages = tuple(
            Page(**{**page, "documents": tuple(page["documents"]), "components": tuple(page["components"])})
            for page in held.pop("pages")
        )
        return PageIndex(**held, pages=pages)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_index(folder: Path, index: PageIndex) -> None:
    """Replace the index of a folder, then remove vectors that it does not name."""
    write_atomically(folder / _INDEX, json.dumps(asdict(index), ensure_ascii=False), durable=True)
    vectors = PageVectors(folder, index.fingerprint, index.dimension)
    for other in folder.glob("vectors-*"):
        if other != vectors.folder:
            shutil.rmtree(other, ignore_errors=True)
    vectors.keep_only(page.key for page in index.pages)


class PageVectors:
    """Vectors of page pictures by one model, a file for each picture."""

    def __init__(self, folder: Path, fingerprint: str, dimension: int) -> None:
        self.folder = folder / f"vectors-{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}"
        self._dimension = dimension

    def __contains__(self, key: str) -> bool:
        """Whether a picture is embedded, with a file of a possible size."""
        try:
            size = self._path(key).stat().st_size
        except FileNotFoundError:
            return False
        return size > 0 and size % (2 * self._dimension) == 0

    def put(self, key: str, vectors: Vectors) -> None:
        """Store the vectors [n, dimension] of a picture as float16; durable when it returns."""
        if vectors.ndim != 2 or vectors.shape[1] != self._dimension or not len(vectors):
            raise ValueError(f"vectors [n, {self._dimension}] are required, not {vectors.shape}")
        write_atomically(self._path(key), vectors.astype(np.float16).tobytes(), durable=True)

    def get(self, key: str, corpus: str) -> NDArray[np.float16]:
        """The vectors [n, dimension] of a picture. PagesMissing, naming the corpus, if the file is lost or damaged."""
        if key not in self:
            raise PagesMissing(corpus, f"vectors of page picture {key[:12]} are lost", "")
        return np.fromfile(self._path(key), np.float16).reshape(-1, self._dimension)

    def keep_only(self, keys: Iterable[str]) -> None:
        """Delete the vectors of all other pictures."""
        wanted = set(keys)
        for file in self.folder.glob("??/*"):
            if file.name not in wanted:
                file.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key
