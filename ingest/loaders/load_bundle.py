"""Run a LangChain document loader and store its documents as a corpus bundle.

The bundle is in the corpus's folder (``loaders/<name>/bundle``) and is ingested like any other: unchanged documents
are skipped, and documents that the loader no longer returns are deleted.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from backtrail.ingest.images import prettify
from backtrail.ingest.loaders.errors import LoaderFailed, LoaderUnusable
from backtrail.ingest.loaders.locators import locator_of, section_of, source_of, title_of
from backtrail.ingest.plain.text import text_drafts
from backtrail.tools.corpus.writing.lock import writer_lock
from backtrail.tools.home import corpus_folder

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_ADDRESS = re.compile(r"https?://\S+", re.I)


@contextmanager
def loaded_bundles(corpus: str, loaders: Mapping[str, BaseLoader]) -> Iterator[list[Path]]:
    """Run each loader and yield the folders of their bundles, which are locked within the block.

    Args:
        loaders: loaders by name. Ids of documents start with the name; a loader of the same name replaces the documents
            loaded before.

    Raises:
        LoaderUnusable: the name is invalid, or the loader returned no text.
        LoaderFailed: the loader raised.
        CorpusLocked: another process runs a loader of this name for this corpus.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(_loaded_bundle(corpus, name, loader)) for name, loader in loaders.items()]


@contextmanager
def _loaded_bundle(corpus: str, name: str, loader: BaseLoader) -> Iterator[Path]:
    if not _NAME.fullmatch(name):
        raise LoaderUnusable(name, "use 1 to 63 letters, digits, '.', '_' or '-' as its name")
    folder = corpus_folder(corpus) / "loaders" / name
    with writer_lock(corpus, folder):
        _write(name, loader, folder / "bundle.part")
        shutil.rmtree(folder / "bundle", ignore_errors=True)
        (folder / "bundle.part").rename(folder / "bundle")
        yield folder / "bundle"


def _write(name: str, loader: BaseLoader, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    loaded = 0
    with (
        (folder / "documents.jsonl").open("w", encoding="utf-8") as documents,
        (folder / "components.jsonl").open("w", encoding="utf-8") as components,
    ):
        bundle = _Bundle(name, documents, components)
        try:
            for document in loader.lazy_load():
                bundle.add(document)
                loaded += 1
        except Exception as error:
            raise LoaderFailed(name, loaded, error) from error
    if not bundle.counts:
        raise LoaderUnusable(name, f"it returned {loaded} documents and no text")


class _Bundle:
    """Writer of a bundle's two files. ``counts`` has the number of components of each document."""

    def __init__(self, name: str, documents: TextIO, components: TextIO) -> None:
        self._name, self._documents, self._components = name, documents, components
        self.counts: dict[str, int] = {}

    def add(self, loaded: Document) -> None:
        """Write the paragraphs of a LangChain document; all of one source become one document."""
        metadata = loaded.metadata
        source = _clean(source_of(metadata) or str(loaded.id or ""))
        document = f"{self._name}/{source}" if source else self._name
        for draft in text_drafts(_clean(loaded.page_content), section_of(metadata)):
            number = self.counts.get(document, 0)
            if not number:
                self._add_document(document, title_of(metadata), source)
            self.counts[document] = number + 1
            line = {
                "id": f"{document}#{number}", "document": document, "position": number, "modality": "text",
                "section": draft.section, "text": draft.text, "locator": locator_of(metadata),
                "links": [{"target": link.target, "anchor": link.anchor} for link in draft.links],
            }  # fmt: skip
            self._components.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _add_document(self, document: str, title: str, source: str) -> None:
        address = source if _ADDRESS.fullmatch(source) else ""
        title = title or address or prettify(Path(source or self._name).stem)
        line = {"id": document, "title": title, "url": address}
        self._documents.write(json.dumps(line, ensure_ascii=False) + "\n")


def _clean(text: str) -> str:
    """Replace characters that UTF-8 or databases cannot store."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
