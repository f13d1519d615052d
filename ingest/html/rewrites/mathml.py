"""Convert MathML to one line of text: "x = (-b ± √(b^2 - 4ac))/(2a)"."""

from __future__ import annotations

import re
from typing import Any

_MOST_DEPTH = 60
_HIDDEN = frozenset({"annotation", "annotation-xml", "mphantom", "mprescripts", "none"})
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_SPACED = frozenset("=<>≤≥≠≈≡→←↔⇒⇔∈∉⊂⊆∪∩±∓≪≫∼≃:∣")


def mathml_text(element: Any) -> str:
    """Return the text of a formula with powers, indices, fractions and roots; nesting is bounded."""
    return " ".join(_text(element, 0).split())


def _text(element: Any, depth: int) -> str:
    kind = _name(element)
    if depth > _MOST_DEPTH or kind in _HIDDEN:
        return ""
    if not len(element):
        return _token(kind, _INVISIBLE.sub("", element.text or "").strip())
    parts = [_text(part, depth + 1) for part in element if isinstance(part.tag, str)]
    if kind in _WRITTEN and len(parts) >= _LEAST.get(kind, 1):
        return _WRITTEN[kind](parts)
    if kind == "mfenced":
        return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
    if kind == "mtable":
        return f"[{'; '.join(parts)}]"
    return (", " if kind == "mtr" else "").join(parts)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(element.tag, str) else ""


def _token(kind: str, text: str) -> str:
    if kind == "mo" and text in _SPACED:
        return f" {text} "
    if kind == "mspace":
        return " "
    return f" {text} " if kind == "mtext" else text


def _grouped(text: str) -> str:
    """Put a part in brackets unless it is one name or number."""
    text = text.strip()
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


_WRITTEN = {
    "mfrac": lambda p: f"{_grouped(p[0])}/{_grouped(p[1])}",
    "msup": lambda p: f"{p[0]}^{_grouped(p[1])}",
    "msub": lambda p: f"{p[0]}_{_grouped(p[1])}",
    "msubsup": lambda p: f"{p[0]}_{_grouped(p[1])}^{_grouped(p[2])}",
    "munder": lambda p: f"{p[0]}_{_grouped(p[1])} ",
    "mover": lambda p: f"{p[0]}^{_grouped(p[1])}",
    "munderover": lambda p: f"{p[0]}_{_grouped(p[1])}^{_grouped(p[2])} ",
    "msqrt": lambda p: f"√({''.join(p)})",
    "mroot": lambda p: f"{p[1]}√({p[0]})",
}
_LEAST = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3, "mroot": 2}
