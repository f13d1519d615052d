"""The contexts that MultimodalQA and MMCoQA share: texts, tables and images, one document per Wikipedia page.

    {"title": "Taipei", "url": "https://en.wikipedia.org/wiki/Taipei", "id": "632e…", "path": "Taipei.jpg"}

Cells carry links to pages; those that lead to a page of the release become links of the bundle.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json_lines

PICTURES = ("final_dataset_images", "images")


def write_contexts(
    source: Path, writer: BundleWriter, texts: Sequence[str], tables: Sequence[str], images: Sequence[str]
) -> None:
    """Write every context. Ids of components are those of the release.

    Args:
        texts, tables, images: names the three files may have.

    Raises:
        FormatError: a file is missing or a line lacks a field.
    """
    files = {
        "text": found(source, *texts),
        "table": found(source, *tables),
        "image": found(source, *images),
    }
    pages = _write_documents(writer, list(files.values()))
    for number, line in read_json_lines(files["text"]):
        text = str(field(line, "text", files["text"], number))
        writer.text(field(line, "id", files["text"], number), _page(line), text)
    for number, line in read_json_lines(files["table"]):
        table = field(line, "table", files["table"], number)
        writer.table(line["id"], _page(line), _table(table, line), links=_links(table, pages))
    for number, line in read_json_lines(files["image"]):
        path = str(field(line, "path", files["image"], number))
        writer.image(line["id"], _page(line), {"title": line.get("title", ""), "caption": ""}, _file(source, path))


def _write_documents(writer: BundleWriter, files: list[Path]) -> frozenset[str]:
    pages: set[str] = set()
    for file in files:
        for number, line in read_json_lines(file):
            field(line, "id", file, number)
            if _page(line) not in pages:
                pages.add(_page(line))
                writer.document(_page(line), str(line.get("title", "")), str(line.get("url", "")))
    return frozenset(pages)


def _page(line: dict[str, Any]) -> str:
    """A page is known by its address; a context without one is a document of its own."""
    return str(line.get("url") or line["id"])


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


def _links(table: dict[str, Any], pages: frozenset[str]) -> list[dict[str, Any]]:
    return [
        {"target": link["url"], "anchor": str(link.get("text", "")), "row": row, "column": column}
        for row, cells in enumerate(table.get("table_rows", []))
        for column, cell in enumerate(cells)
        for link in cell.get("links", [])
        if link.get("url") in pages
    ]


def _file(source: Path, path: str) -> Path | None:
    """The picture in the unpacked folder of the release. The name comes from a file: it may not leave the folder."""
    for folder in (source / name for name in PICTURES):
        file = (folder / path).resolve()
        if file.is_relative_to(folder.resolve()) and file.is_file():
            return file
    return None
