"""The parts of an OpenDocument file that are read: contents, styles, properties."""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise
from backtrail.ingest.opendocument.names import OFFICE
from backtrail.ingest.opendocument.styles import Styles

_NO_TITLE = re.compile(r"\W*|untitled.*|title|.*\.(od[tp]|ot[tp]|docx?|pptx?)|(powerpoint )?presentation\d*", re.I)


def content_of(archive: Archive, kind: str) -> tuple[Any, Styles, Any | None]:
    """What a file holds, its styles, and the part with the styles of its pages.

    Args:
        archive: the file.
        kind: "text" or "presentation".

    Raises:
        UnreadableSource: it has no such contents.
    """
    root, styles = archive.tree("content.xml"), archive.tree("styles.xml")
    body = root.find(f"{OFFICE}body/{OFFICE}{kind}") if root is not None else None
    if root is None or body is None:
        raise archive.damaged(ValueError(f"it has no {kind} in content.xml"))
    return body, Styles(part for part in (styles, root) if part is not None), styles


def title_of(archive: Archive) -> str:
    """The title that the document's properties give; empty if none."""
    root = archive.tree("meta.xml")
    element = next(root.iter("{*}title"), None) if root is not None else None
    return normalise(element.text or "") if element is not None else ""


def meta_title(archive: Archive) -> str:
    """The title in a file's properties, unless it is what programs put there."""
    title = title_of(archive)
    return "" if _NO_TITLE.fullmatch(title) else title
