"""Names of WordprocessingML and its neighbours (ISO/IEC 29500-1); the strict form is brought to the usual one."""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_STRICT = "http://purl.oclc.org/ooxml/"
_USUAL = {
    "wordprocessingml/main": W[1:-1],
    "officeDocument/relationships": R[1:-1],
    "officeDocument/math": MATH[1:-1],
    "drawingml/main": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "drawingml/chart": "http://schemas.openxmlformats.org/drawingml/2006/chart",
}


def local(element: Any) -> str:
    """An element's name without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Any | None, name: str = "val") -> str:
    """An attribute of WordprocessingML; empty without it."""
    return (element.get(f"{W}{name}") or "") if element is not None else ""


def number_of(text: str, most: int, base: int = 10) -> int:
    """A number that is written in an attribute, up to a bound; 0 for anything else."""
    try:
        return max(0, min(int(text, base), most)) if len(text) < 8 else 0
    except ValueError:
        return 0


def is_on(element: Any | None) -> bool:
    """Whether a switch such as bold is there and not turned off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")


def usual(root: Any) -> Any:
    """The tree with the names of the strict form replaced by the usual ones."""
    if _STRICT not in (root.tag if isinstance(root.tag, str) else ""):
        return root
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = _renamed(element.tag)
            for key in list(element.attrib):
                renamed = _renamed(key)
                if renamed != key:
                    element.set(renamed, element.attrib.pop(key))
    return root


def _renamed(name: str) -> str:
    if not name.startswith("{" + _STRICT):
        return name
    space, _, rest = name[1:].partition("}")
    return f"{{{_USUAL.get(space.removeprefix(_STRICT), space)}}}{rest}"
