"""Embed the pages of a corpus as pictures; what is embedded already is not embedded again."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.page_images.page_picture import page_picture
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.errors import PictureUnreadable
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.pages.open import RecordedPages, shared_model
from backtrail.tools.corpus.pages.page_index import (
    KINDS,
    Page,
    PageIndex,
    PageVectors,
    pages_folder,
    read_index,
    recorded_model,
    remove_unnamed,
    write_index,
)
from backtrail.tools.corpus.pages.page_places import find_pages, forget_absent
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.embedders.protocol import PageEmbedder
from backtrail.tools.errors import BacktrailError
from backtrail.tools.home import corpus_folder

NO_MODEL = "none"
"""Name that removes all page vectors of a corpus."""
NOT_DRAWN = "no page of it can be drawn"
NO_PICTURES = "only PDF files and pictures have page pictures"


@dataclass
class PagesReport:
    """Pages that can be searched by a page model.

    Args:
        pages: their number; ``embedded`` of them were embedded now.
        without: why documents have no such page, by id.
        failed: pages that could not be drawn, with the reason.
        problem: why the model embedded nothing; empty if it did.
    """

    model: str
    pages: int = 0
    embedded: int = 0
    without: dict[str, str] = field(default_factory=dict[str, str])
    failed: list[str] = field(default_factory=list[str])
    problem: str = ""


def embed_pages(
    corpus: str, name: str, *, opened: PageEmbedder | None = None, progress: Progress | None = None
) -> PagesReport:
    """Embed the pages of a corpus by a page model. It is recorded, and later ingests embed new pages by it.

    Vectors of another model of the same kind are replaced.

    Args:
        name: see ``PAGE_NAMES``.
        opened: the model of that name, if it is open already.

    Raises:
        CorpusNotFound: no such corpus.
        CorpusLocked: another process is embedding its pages.
        EmbedderError, DependencyMissing: the model cannot be opened.
    """
    kind, _, path = name.partition(":")
    name = f"{kind}:{Path(path).expanduser().absolute()}" if path else name  # it is recorded
    return _embed(corpus, name, opened or shared_model(name), progress or Silent())


def update_pages(corpus: str, progress: Progress) -> list[PagesReport]:
    """Embed new and changed pages by each recorded page model, which is opened only for these.

    A model that fails does not stop the other: its report has the problem. Raises CorpusNotFound.
    """
    with read_only(corpus):
        folders = [pages_folder(corpus, kind) for kind in KINDS]
    return [_update(corpus, folder, name, progress) for folder in folders if (name := recorded_model(folder))]


def _update(corpus: str, folder: Path, name: str, progress: Progress) -> PagesReport:
    try:
        index = read_index(folder)
        return _embed(corpus, name, RecordedPages(corpus, index) if index else shared_model(name), progress)
    # A model that is too large for the memory of this process ends in MemoryError, or in RuntimeError of torch.
    except (BacktrailError, OSError, MemoryError, RuntimeError) as error:
        return PagesReport(name, problem=str(error) or type(error).__name__)


def remove_pages(corpus: str) -> None:
    """Remove all page vectors of a corpus, and the record of their models."""
    for kind in KINDS:
        if (folder := pages_folder(corpus, kind)).is_dir():
            with writer_lock(corpus, folder):
                shutil.rmtree(folder)


def _embed(corpus: str, name: str, model: PageEmbedder, progress: Progress) -> PagesReport:
    folder, report = pages_folder(corpus, name.partition(":")[0]), PagesReport(name)
    with read_only(corpus):
        pass  # a lock would make a folder for a corpus that does not exist
    vectors = PageVectors(folder, model.fingerprint, model.dimension)
    embedded: list[Page] = []
    failed: dict[str, str] = {}
    with writer_lock(corpus, folder), tempfile.TemporaryDirectory() as drawn:
        pages, documents = find_pages(corpus)
        last = _unchanged(read_index(folder), documents)
        progress.stage("pages", len(pages))
        for page in pages:
            before = last.get((page.source, page.number))
            state = _state(page) or (before.state if before else "")
            key = before.key if before and before.state == state else ""
            try:
                if key not in vectors:
                    key, picture = _picture(corpus, page, Path(drawn) / "page.png")
                    if key not in vectors:
                        vectors.put(key, model.embed_page(picture))
                        report.embedded += 1
                embedded.append(replace(page, key=key, state=state))
            except (UnreadableSource, PictureUnreadable) as error:
                failed |= dict.fromkeys(page.documents, NOT_DRAWN)  # answers show it, so it names no path
                report.failed.append(f"{page.documents[0]}, page {page.number or 1}: {error}")
            progress.advance()
        found = {id_ for page in embedded for id_ in page.documents}
        without = {id_: failed.get(id_, NO_PICTURES) for id_ in documents if id_ not in found}
        index = PageIndex(name, model.fingerprint, model.dimension, embedded, documents, without)
        write_index(folder, index)
        remove_unnamed(folder, index)
    forget_absent(corpus)  # documents that were deleted meanwhile
    report.pages, report.without = len(embedded), without
    return report


def _unchanged(last: PageIndex | None, documents: dict[str, str]) -> dict[tuple[str, int], Page]:
    """The last run's pages, by source and number, whose documents are the same."""
    return {
        (page.source, page.number): page
        for page in (last.pages if last else [])
        if last and all(documents.get(id_) == last.documents.get(id_) for id_ in page.documents)
    }


def _state(page: Page) -> str:
    """Size and time of the file of a page, as a drawing may change where no word does; empty if there is no file."""
    try:
        found = os.stat(page.source) if page.number else None
    except (OSError, ValueError):
        found = None
    return f"{found.st_size} {found.st_mtime_ns}" if found else ""


def _picture(corpus: str, page: Page, drawn: Path) -> tuple[str, Path]:
    """The SHA-256 and the file of a page's picture; a page of a PDF is drawn into the file ``drawn``."""
    if not page.number:
        return page.source, BlobStore(corpus_folder(corpus)).path(page.source)
    picture = page_picture(Path(page.source), page.number)
    drawn.write_bytes(picture)
    return hashlib.sha256(picture).hexdigest(), drawn
