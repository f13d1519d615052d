"""Formulas of Office (OMML, ISO/IEC 29500-1, 22.1) as one line of text: "x = (-b ± √(b^2 - 4ac))/(2a)"."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.word.names import MATH, local

_MOST_DEPTH = 50


def formula_text(element: Any, depth: int = 0) -> str:
    """The text of a formula or a part of it."""
    if depth > _MOST_DEPTH:
        return ""
    kind = local(element)
    if kind in ("t", "delText"):
        return element.text or ""
    if kind.endswith("Pr") and kind != "Pr":
        return ""
    parts = {name: formula_text(part, depth + 1) for part in element if (name := local(part)) in _ARGUMENTS}
    if kind in _WRITTEN:
        return _WRITTEN[kind](parts, element)
    if kind == "d":
        return _fenced(element, depth)
    if kind in ("m", "eqArr"):
        rows = [[formula_text(cell, depth + 1) for cell in row] for row in element if local(row) == "mr"]
        lines = [", ".join(row) for row in rows] or [formula_text(e, depth + 1) for e in element if local(e) == "e"]
        return f"[{'; '.join(lines)}]"
    return "".join(formula_text(part, depth + 1) for part in element)


_ARGUMENTS = frozenset({"e", "num", "den", "sub", "sup", "deg", "lim", "fName"})


def _grouped(text: str) -> str:
    """A part in brackets, unless it is one name or number."""
    text = text.strip()
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _property(element: Any, holder: str, name: str, default: str) -> str:
    found = element.find(f"{MATH}{holder}/{MATH}{name}")
    return (found.get(f"{MATH}val") or "") if found is not None else default


def _fenced(element: Any, depth: int) -> str:
    inside = [formula_text(part, depth + 1) for part in element if local(part) == "e"]
    begin, end = _property(element, "dPr", "begChr", "("), _property(element, "dPr", "endChr", ")")
    return begin + ", ".join(inside) + end


def _scripts(parts: dict[str, str]) -> str:
    sub = f"_{_grouped(parts['sub'])}" if parts.get("sub") else ""
    sup = f"^{_grouped(parts['sup'])}" if parts.get("sup") else ""
    return sub + sup


def _root(parts: dict[str, str], _: Any) -> str:
    return f"{parts.get('deg', '')}√({parts.get('e', '')})"


def _sum(parts: dict[str, str], element: Any) -> str:
    return f"{_property(element, 'naryPr', 'chr', '∫')}{_scripts(parts)} {parts.get('e', '')}"


_WRITTEN = {
    "f": lambda parts, _: f"{_grouped(parts.get('num', ''))}/{_grouped(parts.get('den', ''))}",
    "sSup": lambda parts, _: parts.get("e", "") + _scripts(parts),
    "sSub": lambda parts, _: parts.get("e", "") + _scripts(parts),
    "sSubSup": lambda parts, _: parts.get("e", "") + _scripts(parts),
    "sPre": lambda parts, _: _scripts(parts) + parts.get("e", ""),
    "rad": _root,
    "nary": _sum,
    "func": lambda parts, _: f"{parts.get('fName', '')} {parts.get('e', '')}",
    "limLow": lambda parts, _: f"{parts.get('e', '')}_({parts.get('lim', '')})",
    "limUpp": lambda parts, _: f"{parts.get('e', '')}^({parts.get('lim', '')})",
}
