"""Names and attribute values of WordprocessingML (ISO/IEC 29500-1)."""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def local(element: Any) -> str:
    """Return an element's name without namespace; "" for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Any | None, name: str = "val") -> str:
    """Return a WordprocessingML attribute; "" if missing."""
    return (element.get(f"{W}{name}") or "") if element is not None else ""


def number_of(text: str, most: int, least: int = 0) -> int:
    """Return an integer or percentage within bounds; 0 if invalid."""
    try:
        return max(least, min(int(text.rstrip("%")), most)) if len(text) < 8 else 0
    except ValueError:
        return 0


def is_on(element: Any | None) -> bool:
    """Return whether a toggle such as bold is present and not off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")
