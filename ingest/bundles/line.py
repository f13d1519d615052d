"""Validate lines of a corpus bundle and convert them to documents and components."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from backtrail.state.component import Component, Document, Link, LinkKind, Locator, Modality, Picture, Table

_EXTERNAL = re.compile(r"^(https?://|mailto:|ftp://)", re.I)
_MODALITIES: dict[str, Modality] = {"text": "text", "table": "table", "image": "image"}


class BadField(ValueError):
    """A field of a line is missing or invalid; the message is the reason."""


@dataclass(frozen=True)
class BundleComponent:
    """Component of a bundle and the file of its picture, if any."""

    component: Component
    file: str | None


def read_document(line: dict[str, Any], source: str) -> Document:
    """Convert a line of ``documents.jsonl``; unknown fields are ignored.

    Raises:
        BadField: id or title is missing or not a string.
    """
    identifier = _text(line, "id", required=True)
    return Document(
        id=identifier, title=_text(line, "title") or identifier, url=_text(line, "url", default=""), source=source
    )


def read_component(line: dict[str, Any]) -> BundleComponent:
    """Convert a line of ``components.jsonl``.

    Raises:
        BadField: a field is missing or invalid, or the content does not match the modality.
    """
    modality = _MODALITIES.get(_text(line, "modality", required=True))
    if modality is None:
        raise BadField(f"modality {line['modality']!r} is none of text, table, image")
    others = [name for name in _MODALITIES if name != modality and line.get(name) is not None]
    if line.get(modality) is None or others:
        raise BadField(f"modality is {modality!r}, so exactly {modality!r} must be given")
    table = _table(line["table"]) if modality == "table" else None
    picture, file = _picture(line["image"]) if modality == "image" else (None, None)
    component = Component(
        id=_text(line, "id", required=True),
        document=_text(line, "document", required=True),
        position=_number(line, "position", required=True) or 0,
        modality=modality,
        section=_text(line, "section", default=""),
        text=_text(line, "text", required=True) if modality == "text" else None,
        table=table,
        image=picture,
        links=_links(line.get("links"), table),
        locator=_locator(line.get("locator")),
    )
    return BundleComponent(component, file)


def _text(line: dict[str, Any], name: str, *, required: bool = False, default: str | None = None) -> str:
    """Return a text field; ``required`` forbids an empty one, ``default`` allows a missing one."""
    value = line.get(name)
    if value is None:
        if default is not None:
            return default
        raise BadField(f"field {name!r} is missing")
    if not isinstance(value, str):
        raise BadField(f"field {name!r} must be text, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadField(f"field {name!r} has half a surrogate pair") from None
    if required and not value.strip():
        raise BadField(f"field {name!r} is empty")
    return value


def _number(line: dict[str, Any], name: str, *, required: bool = False) -> int | None:
    value = line.get(name)
    if value is None and not required:
        return None
    if value is None:
        raise BadField(f"field {name!r} is missing")
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadField(f"field {name!r} must be a whole number from 0, not {value!r}")
    return value


def _table(value: Any) -> Table:
    """Convert a table; rows are padded, and rows longer than the header add unnamed columns."""
    if not isinstance(value, dict):
        raise BadField("field 'table' must be an object with caption, header and rows")
    header = _cells(value.get("header"), "header")
    rows = value.get("rows")
    if not isinstance(rows, list):
        raise BadField("field 'rows' of the table must be a list of lists of text")
    cells = [_cells(row, f"row {number}") for number, row in enumerate(rows)]
    width = max([len(header), *map(len, cells)])
    return Table(
        caption=_text(value, "caption", default=""),
        header=_padded(header, width),
        rows=tuple(_padded(row, width) for row in cells),
    )


def _cells(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(cell, str) for cell in value):
        raise BadField(f"{what} of the table must be a list of text")
    return tuple(value)


def _padded(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    return cells + ("",) * (width - len(cells))


def _picture(value: Any) -> tuple[Picture, str | None]:
    if not isinstance(value, dict):
        raise BadField("field 'image' must be an object with file, caption and title")
    file = value.get("file")
    if file is not None and not isinstance(file, str):
        raise BadField(f"field 'file' of the image must be a path or null, not {type(file).__name__}")
    picture = Picture(
        caption=_text(value, "caption", default=""),
        title=_text(value, "title", default=""),
        alt=_text(value, "alt", default=""),
    )
    return picture, file or None


def _locator(value: Any) -> Locator:
    if value is None:
        return Locator()
    try:
        locator = Locator.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadField(f"locator: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    counted = (locator.page, locator.slide, locator.first_row, locator.cell)
    if any(number is not None and number < 1 for number in counted):
        raise BadField("locator: pages, slides, rows and cells are counted from 1")
    return locator


def _links(value: Any, table: Table | None) -> tuple[Link, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadField("field 'links' must be a list")
    return tuple(_link(entry, number, table) for number, entry in enumerate(value))


def _link(entry: Any, number: int, table: Table | None) -> Link:
    if not isinstance(entry, dict):
        raise BadField(f"link {number} must be an object with a target")
    try:
        target = _text(entry, "target", required=True)
        row, column = _number(entry, "row"), _number(entry, "column")
        component = _text(entry, "component", default="") or None
        anchor = _text(entry, "anchor", default="")
    except BadField as error:
        raise BadField(f"link {number}: {error}") from None
    if table is not None and (
        (row is not None and row >= len(table.rows)) or (column is not None and column >= len(table.header))
    ):
        raise BadField(f"link {number}: the table has no cell in row {row}, column {column}")
    kind: LinkKind = "external" if _EXTERNAL.match(target) else "internal"
    return Link(target=target, anchor=anchor, row=row, column=column, component=component, kind=kind)
