"""Contexts of MultimodalQA and MMCoQA: texts, tables and images, one document per Wikipedia page.

    {"title": "Taipei", "url": "https://en.wikipedia.org/wiki/Taipei", "id": "632e…", "path": "Taipei.jpg"}

Contexts of one page are one document, identified by its URL. Cells have links to pages, by URL and by title; those
to a page of the release become links of the bundle, however the URL is spelt. Texts have no links.

The release has the pages of all its splits. Papers that search "the pages of the evaluated split" (M3DocRAG, FiF) use
the pages with gold of its questions: ``dev.pages`` instead of ``dev``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines

_SCHEME = re.compile(r"^https?://", re.IGNORECASE)
OWN_PAGES = ".pages"
PICTURES = ("final_dataset_images", "images")


def write_contexts(
    source: Path,
    writer: BundleWriter,
    texts: Sequence[str],
    tables: Sequence[str],
    images: Sequence[str],
    beside: Collection[str] | None = None,
) -> None:
    """Write the contexts. Ids of components are those of the release.

    Args:
        texts, tables, images: names the three files may have.
        beside: ids of contexts: only pages with one of them are written, whole. None writes every page.

    Raises:
        FormatError: a file is missing or a line lacks a field.
    """
    files = {
        "text": found(source, *texts),
        "table": found(source, *tables),
        "image": found(source, *images),
    }
    pages = _write_documents(writer, list(files.values()), beside)
    kept = set(pages.values())
    for number, line in read_json_lines(files["text"]):
        if _page(line) not in kept:
            continue
        text = str(field(line, "text", files["text"], number))
        writer.text(field(line, "id", files["text"], number), _page(line), text)
    for number, line in read_json_lines(files["table"]):
        if _page(line) not in kept:
            continue
        table = field(line, "table", files["table"], number)
        writer.table(line["id"], _page(line), _table(table, line), links=_links(table, pages))
    for number, line in read_json_lines(files["image"]):
        if _page(line) not in kept:
            continue
        path = str(field(line, "path", files["image"], number))
        writer.image(line["id"], _page(line), {"title": line.get("title", ""), "caption": ""}, _file(source, path))


def split_of(named: str) -> tuple[str, bool]:
    """Return the split of the release, and whether only pages of its questions are wanted (``dev.pages``)."""
    return named.removesuffix(OWN_PAGES), named.endswith(OWN_PAGES)


def gold_of(questions: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the gold contexts of questions of a bundle."""
    return {component for question in questions for group in question["gold"] for component in group}


def _write_documents(writer: BundleWriter, files: list[Path], beside: Collection[str] | None) -> dict[str, str]:
    """Write each page once; return ids of pages by URL, and by title where it is unique."""
    wanted = None if beside is None else _pages_with(files, beside)
    pages: dict[str, str] = {}
    titled: dict[str, set[str]] = {}
    for file in files:
        for number, line in read_json_lines(file):
            field(line, "id", file, number)
            page = _page(line)
            if page not in pages and (wanted is None or page in wanted):
                pages[page] = page
                writer.document(page, str(line.get("title", "")), str(line.get("url", "")))
                titled.setdefault(_title(str(line.get("title", ""))), set()).add(page)
    return {**{title: next(iter(same)) for title, same in titled.items() if title and len(same) == 1}, **pages}


def _pages_with(files: list[Path], beside: Collection[str]) -> set[str]:
    """Return the pages with one of these contexts. Raises FormatError when there is none: files of another release."""
    pages = {_page(line) for file in files for _, line in read_json_lines(file) if str(line.get("id")) in beside}
    if not pages:
        raise FormatError(files[0], None, "holds no gold context of a question of the split (test has no gold)")
    return pages


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


def _links(table: dict[str, Any], pages: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"target": target, "anchor": str(link.get("text", "")), "row": row, "column": column}
        for row, cells in enumerate(table.get("table_rows", []))
        for column, cell in enumerate(cells)
        for link in cell.get("links", [])
        if (target := _target(link, pages))
    ]


def _target(link: dict[str, Any], pages: dict[str, str]) -> str | None:
    """Return the target page of a link: by URL, else (a page that moved) by the title in the release."""
    by_address = pages.get(_address(str(link.get("url") or "")))
    return by_address or pages.get(_title(str(link.get("wiki_title") or "")))


def _file(source: Path, path: str) -> Path | None:
    """Return the picture in the unpacked release; None for a path that leaves it."""
    for folder in (source / name for name in PICTURES):
        file = (folder / path).resolve()
        if file.is_relative_to(folder.resolve()) and file.is_file():
            return file
    return None
