"""Embed the pages of a corpus as pictures; what is embedded already is not embedded again."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.pages.picture_embedding import PictureEmbedding
from backtrail.tools.corpus.pages.forget import stored_pages
from backtrail.tools.corpus.pages.open import RecordedPages, absolute_name, shared_model
from backtrail.tools.corpus.pages.page_index import KINDS, PageIndex, pages_folder, read_index, write_index
from backtrail.tools.corpus.pages.page_places import page_places
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.embedders.protocol import PageEmbedder

NO_MODEL = "none"
"""Name that removes all page vectors of a corpus."""


@dataclass
class PagesReport:
    """Pages that can be searched by a page model.

    Args:
        pages: their number; ``embedded`` of them were embedded now.
        without: why documents have no such page, by id.
    """

    model: str
    pages: int
    embedded: int
    without: dict[str, str] = field(default_factory=dict[str, str])


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
    name = absolute_name(name)
    return _update(corpus, name, opened or shared_model(name), progress or Silent())


def update_pages(
    corpus: str, *, opened: PageEmbedder | None = None, progress: Progress | None = None
) -> list[PagesReport]:
    """Embed new and changed pages by each recorded page model, which is opened only for these.

    Raises:
        CorpusLocked: another process is embedding its pages.
        PagesMismatch: a recorded name now means another model.
    """
    indexes = [read_index(pages_folder(corpus, kind)) for kind in KINDS]
    return [
        _update(corpus, index.model, RecordedPages(corpus, index, opened), progress or Silent())
        for index in indexes
        if index is not None
    ]


def remove_pages(corpus: str) -> None:
    """Remove all page vectors of a corpus, and the record of their models."""
    for kind in KINDS:
        if (folder := pages_folder(corpus, kind)).is_dir():
            with writer_lock(corpus, folder):
                shutil.rmtree(folder)


def _update(corpus: str, name: str, model: PageEmbedder, progress: Progress) -> PagesReport:
    folder = pages_folder(corpus, name.partition(":")[0])
    places = page_places(corpus)
    with writer_lock(corpus, folder), tempfile.TemporaryDirectory() as drawn:
        last = read_index(folder)
        same = last if last and last.fingerprint == model.fingerprint else None
        work = PictureEmbedding(corpus, folder, model, same, Path(drawn))
        progress.stage("pages", len(places.pages))
        for place in places.pages:
            work.add(place)
            progress.advance()
        found = {id_ for page in work.pages for id_ in page.documents}
        without = places.without | {id_: reason for id_, reason in work.failed.items() if id_ not in found}
        index = PageIndex(
            name, model.fingerprint, model.dimension, work.files, tuple(work.pages), places.documents, without
        )
        index = stored_pages(corpus, index)  # documents may have been deleted meanwhile
        write_index(folder, index)
    return PagesReport(name, len(index.pages), work.embedded, index.without)
