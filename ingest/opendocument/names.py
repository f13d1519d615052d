"""Namespaces of OpenDocument, and access to a file's content."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.archive import Archive

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT = f"{{{_SPACE}text:1.0}}"
TABLE = f"{{{_SPACE}table:1.0}}"
DRAW = f"{{{_SPACE}drawing:1.0}}"
STYLE = f"{{{_SPACE}style:1.0}}"
OFFICE = f"{{{_SPACE}office:1.0}}"
PRESENTATION = f"{{{_SPACE}presentation:1.0}}"
SVG = f"{{{_SPACE}svg-compatible:1.0}}"
FO = f"{{{_SPACE}xsl-fo-compatible:1.0}}"
XLINK = "{http://www.w3.org/1999/xlink}"


def count(element: Any, name: str, most: int) -> int:
    """Return a repetition, span or level, from 1 to ``most``; 1 if invalid."""
    value = element.get(name) or "1"
    return max(1, min(int(value), most)) if value.isdecimal() and len(value) < 10 else 1


def content_of(archive: Archive, kind: str) -> tuple[Any, list[Any]]:
    """Return the content of a file, and the parts that define its styles; later ones win.

    Args:
        archive: the file.
        kind: "text" or "presentation".

    Raises:
        UnreadableSource: it has no content of that kind.
    """
    root, styles = archive.tree("content.xml"), archive.tree("styles.xml")
    body = root.find(f"{OFFICE}body/{OFFICE}{kind}") if root is not None else None
    if root is None or body is None:
        raise archive.damaged(ValueError(f"it has no {kind} in content.xml"))
    return body, [part for part in (styles, root) if part is not None]
