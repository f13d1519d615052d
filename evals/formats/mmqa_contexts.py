"""Contexts of MultimodalQA and MMCoQA: texts, tables and images, one document per Wikipedia page.

    {"title": "Taipei", "url": "https://en.wikipedia.org/wiki/Taipei", "id": "632e…", "path": "Taipei.jpg"}

Contexts of one page are one document, identified by its URL. Cells have links to pages, by URL and by title; those
to a page of the release become links of the bundle, however the URL is spelt. Texts have no links.

The release has the pages of all its splits. Papers that search "the pages of the evaluated split" (M3DocRAG, FiF) use
the pages with gold of its questions: ``dev.pages`` instead of ``dev``. In ``dev.given`` each context is a document of
its own, so that a question can be asked within its contexts, and links lead to all contexts of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines

_SCHEME = re.compile(r"^https?://", re.IGNORECASE)
OWN_PAGES = ".pages"
PICTURES = ("final_dataset_images", "images")

DocumentOf = Callable[[dict[str, Any]], str]
"""Function from a line of a context file to the id of its document."""
Targets = dict[str, list[str]]
"""Documents by the URL of their page, and by its title."""


def write_contexts(
    source: Path,
    writer: BundleWriter,
    texts: Sequence[str],
    tables: Sequence[str],
    images: Sequence[str],
    beside: Collection[str] | None = None,
    only: Collection[str] | None = None,
) -> None:
    """Write the contexts. Ids of components are those of the release.

    Args:
        texts, tables, images: names the three files may have.
        beside: ids of contexts: only pages with one of them are written, whole. None writes every page.
        only: ids of contexts: only these are written, each as a document of its own.

    Raises:
        FormatError: a file is missing or a line lacks a field.
    """
    files = {
        "text": found(source, *texts),
        "table": found(source, *tables),
        "image": found(source, *images),
    }
    document_of = _page if only is None else _own_document
    kept, targets = _write_documents(writer, list(files.values()), document_of, beside if only is None else only)
    for number, line in read_json_lines(files["text"]):
        if (document := document_of(line)) in kept:
            text = str(field(line, "text", files["text"], number))
            writer.text(field(line, "id", files["text"], number), document, text)
    for number, line in read_json_lines(files["table"]):
        if (document := document_of(line)) in kept:
            table = field(line, "table", files["table"], number)
            writer.table(line["id"], document, _table(table, line), links=_links(table, targets))
    for number, line in read_json_lines(files["image"]):
        if (document := document_of(line)) in kept:
            path = str(field(line, "path", files["image"], number))
            writer.image(line["id"], document, {"title": line.get("title", ""), "caption": ""}, _file(source, path))


def split_of(named: str) -> tuple[str, bool]:
    """Return the split of the release, and whether only pages of its questions are wanted (``dev.pages``)."""
    return named.removesuffix(OWN_PAGES), named.endswith(OWN_PAGES)


def gold_of(questions: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the gold contexts of questions of a bundle."""
    return {component for question in questions for group in question["gold"] for component in group}


def _write_documents(
    writer: BundleWriter, files: list[Path], document_of: DocumentOf, beside: Collection[str] | None
) -> tuple[set[str], Targets]:
    """Write each document once; return their ids, and the targets of links by URL, or title where it is unique."""
    wanted = None if beside is None else _documents_with(files, document_of, beside)
    written: set[str] = set()
    by_address: Targets = {}
    titled: dict[str, set[str]] = {}
    for file in files:
        for number, line in read_json_lines(file):
            field(line, "id", file, number)
            document = document_of(line)
            if document not in written and (wanted is None or document in wanted):
                written.add(document)
                writer.document(document, str(line.get("title", "")), str(line.get("url", "")))
                by_address.setdefault(_page(line), []).append(document)
                titled.setdefault(_title(str(line.get("title", ""))), set()).add(_page(line))
    unique = {title: by_address[next(iter(same))] for title, same in titled.items() if title and len(same) == 1}
    return written, {**unique, **by_address}


def _documents_with(files: list[Path], document_of: DocumentOf, beside: Collection[str]) -> set[str]:
    """Return the documents with one of these contexts.

    Raises:
        FormatError: there is none: the files are of another release.
    """
    lines = (line for file in files for _, line in read_json_lines(file))
    documents = {document_of(line) for line in lines if str(line.get("id")) in beside}
    if not documents:
        raise FormatError(files[0], None, "holds no context of a question of the split (test has no gold)")
    return documents


def _own_document(line: dict[str, Any]) -> str:
    return str(line["id"])


def _page(line: dict[str, Any]) -> str:
    """Return the id of a context's page: its URL, else the id of the context."""
    return _address(str(line["url"])) if line.get("url") else str(line["id"])


def _address(url: str) -> str:
    """Normalize a URL: https, underscores, unescaped, no mobile site, no fragment."""
    plain = unquote(url.split("#")[0].strip()).replace(" ", "_").rstrip("/")
    return _SCHEME.sub("https://", plain).replace("https://en.m.wikipedia", "https://en.wikipedia", 1)


def _title(title: str) -> str:
    return " ".join(title.replace("_", " ").split()).casefold()


def _table(table: dict[str, Any], line: dict[str, Any]) -> dict[str, Any]:
    name = str(table.get("table_name") or "")
    header = [str(column.get("column_name", "")) for column in table.get("header", [])]
    rows = [[str(cell.get("text", "")) for cell in row] for row in table.get("table_rows", [])]
    width = max([len(header), *map(len, rows)], default=0)
    caption = " – ".join(part for part in (str(line.get("title", "")), name) if part)
    return {
        "caption": caption,
        "header": header + [""] * (width - len(header)),
        "rows": [row + [""] * (width - len(row)) for row in rows],
    }


def _links(table: dict[str, Any], targets: Targets) -> list[dict[str, Any]]:
    return [
        {"target": target, "anchor": str(link.get("text", "")), "row": row, "column": column}
        for row, cells in enumerate(table.get("table_rows", []))
        for column, cell in enumerate(cells)
        for link in cell.get("links", [])
        for target in _targets(link, targets)
    ]


def _targets(link: dict[str, Any], targets: Targets) -> list[str]:
    """Return the documents of a link's page: by URL, else (a page that moved) by the title in the release."""
    by_address = targets.get(_address(str(link.get("url") or "")))
    return by_address or targets.get(_title(str(link.get("wiki_title") or "")), [])


def _file(source: Path, path: str) -> Path | None:
    """Return the picture in the unpacked release; None for a path that leaves it."""
    for folder in (source / name for name in PICTURES):
        file = (folder / path).resolve()
        if file.is_relative_to(folder.resolve()) and file.is_file():
            return file
    return None
