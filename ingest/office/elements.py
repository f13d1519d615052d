"""Construction of HTML elements with lxml."""

from __future__ import annotations

from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_SIGNS = {"sup": "^", "sub": "_", "num": " ", "den": " / "}
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])


def new(tag: str, **attributes: str) -> Any:
    """Return a new element; empty attributes are dropped."""
    return etree.Element(tag, {name: _clean(text) for name, text in attributes.items() if text})


def child(parent: Any, tag: str, **attributes: str) -> Any:
    """Append a new element and return it."""
    made = new(tag, **attributes)
    parent.append(made)
    return made


def add_text(parent: Any, text: str) -> None:
    """Append text to an element."""
    text = _clean(text)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def styled(parent: Any, tag: str) -> Any:
    """Return the element for text in ``tag`` ("b", "sup"; "" for plain): the adjacent one, else a new one."""
    last = parent[-1] if len(parent) else None
    return last if last is not None and last.tag == tag and not last.tail else child(parent, tag) if tag else parent


def formula_text(formula: Any) -> str:
    """Return an Office formula as one line; grouping is lost."""
    parts = ((element.tag.rpartition("}")[2], element.text) for element in formula.iter("{*}*"))
    return f" {''.join((text or '') if kind == 't' else _SIGNS.get(kind, '') for kind, text in parts)} "


def unwrap_only_paragraph(cell: Any) -> None:
    """Make the only paragraph of a cell inline, so that a one-row table counts as data, as in 3 of 103 .odt files."""
    if len(cell) == 1 and cell[0].tag == "p":
        cell[0].tag = "span"


def says(element: Any) -> str:
    """Return all text of an element."""
    return "".join(element.itertext()).strip()


def _clean(text: str) -> str:
    """Drop control characters and lone surrogates, which XML does not allow."""
    return text.translate(_FORBIDDEN).encode("utf-8", "ignore").decode("utf-8")
