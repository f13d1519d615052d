"""Delete documents and corpora with their uploaded files. Callers check who may do so."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from backtrail.tools.access.records.corpora import release_corpus
from backtrail.tools.access.records.ingests import forget_ingest
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.inventory import documents_of_source, source_of
from backtrail.tools.corpus.manage import delete_corpus, delete_documents
from backtrail.tools.uploads.files import delete_file, delete_files, uploads_folder


@dataclass(frozen=True)
class Deletable:
    """Documents that are deleted together: one, or all of an uploaded ``file``, which goes with them."""

    documents: list[str]
    file: str = ""


def deletable(corpus: str, document: str) -> Deletable:
    """Return what is deleted with a document: the next ingest would bring back all of an uploaded file. Blocking.

    Raises:
        CorpusNotFound, DocumentNotFound: as they say.
    """
    source = source_of(corpus, document)
    folder = uploads_folder(corpus)
    if not Path(source).is_relative_to(folder):
        return Deletable([document])
    return Deletable(documents_of_source(corpus, source), Path(source).relative_to(folder).as_posix())


def delete_document(corpus: str, document: str) -> Deletable:
    """Delete a document, with all of its uploaded file; return what was deleted. Blocking.

    Raises:
        CorpusNotFound, DocumentNotFound, CorpusLocked, CorpusDiskFull: as they say.
    """
    found = deletable(corpus, document)
    delete_documents(corpus, found.documents)
    if found.file:
        delete_file(corpus, found.file)
    return found


def delete_all(corpus: str) -> None:
    """Delete a corpus with its files, records and owner. Blocking.

    Raises:
        CorpusLocked: it is being written.
    """
    with suppress(CorpusNotFound):  # its files were never ingested
        delete_corpus(corpus)
    delete_files(corpus)
    forget_ingest(corpus)
    release_corpus(corpus)
