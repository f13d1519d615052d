"""Names of WordprocessingML and its neighbours (ISO/IEC 29500-1)."""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def local(element: Any) -> str:
    """An element's name without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Any | None, name: str = "val") -> str:
    """An attribute of WordprocessingML; empty without it."""
    return (element.get(f"{W}{name}") or "") if element is not None else ""


def number_of(text: str, most: int, least: int = 0) -> int:
    """A number that is written in an attribute, within bounds; 0 for anything else."""
    try:
        return max(least, min(int(text.rstrip("%")), most)) if len(text) < 8 else 0
    except ValueError:
        return 0


def is_on(element: Any | None) -> bool:
    """Whether a switch such as bold is there and not turned off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")
