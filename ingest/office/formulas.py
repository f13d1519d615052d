"""Formulas of Office (OMML, ISO/IEC 29500-1, 22.1) as MathML, which pages have, too."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.office.elements import child, new
from backtrail.ingest.office.names import MATH, local

_MOST_DEPTH = 50
_MADE = {
    "f": ("mfrac", "num", "den"), "sSup": ("msup", "e", "sup"), "sSub": ("msub", "e", "sub"),
    "sSubSup": ("msubsup", "e", "sub", "sup"), "rad": ("mroot", "e", "deg"), "func": ("mrow", "fName", "e"),
    "limLow": ("munder", "e", "lim"), "limUpp": ("mover", "e", "lim"), "m": ("mtable", "mr"), "eqArr": ("mtable", "e"),
    "mr": ("mtr", "e"), "d": ("mfenced", "e"),
}  # fmt: skip
"""The element of MathML for one of Office, and the parts that it has in order."""


def mathml(formula: Any) -> Any:
    """A formula as an element."""
    made = new("math")
    _add(formula, made, 0)
    return made


def _add(element: Any, into: Any, depth: int) -> None:
    kind = local(element)
    if depth > _MOST_DEPTH:
        return
    if kind in ("t", "delText"):
        child(into, "mtext" if " " in (element.text or "").strip() else "mi").text = element.text or ""
    elif kind in _MADE:
        name, *parts = _MADE[kind]
        made = child(into, name, open=_property(element, "begChr"), close=_property(element, "endChr"))
        for part in (one for wanted in parts for one in element if local(one) == wanted):
            if local(part) == "mr":
                _add(part, made, depth + 1)
            else:
                if local(part) == "e" and kind == "func":
                    child(made, "mspace")
                row = child(made, "mrow")
                for inner in part:
                    _add(inner, row, depth + 1)
    elif kind == "nary":
        child(into, "mo").text = _property(element, "chr") or "∫"
        for part in element:
            name = {"sub": "_", "sup": "^", "e": ""}.get(local(part))
            if name is not None and len(part):
                child(into, "mi" if name else "mspace").text = name
                _group(part, into, depth, bracketed=bool(name))
    elif not kind.endswith("Pr"):
        for part in element:
            _add(part, into, depth + 1)


def _group(part: Any, into: Any, depth: int, *, bracketed: bool) -> None:
    row = child(into, "mrow")
    for inner in part:
        _add(inner, row, depth + 1)
    text = "".join(row.itertext())
    if bracketed and len(text) > 1 and not text.isalnum():
        row.tag = "mfenced"


def _property(element: Any, name: str) -> str:
    found = next(element.iterfind(f"*/{MATH}{name}"), None)
    return (found.get(f"{MATH}val") or "") if found is not None else ""
