"""Building the elements of a page: text goes where it belongs, in the last child's tail or the element itself."""

from __future__ import annotations

from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_SIGNS = {"sup": "^", "sub": "_", "num": " ", "den": " / "}
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])


def new(tag: str, **attributes: str) -> Any:
    """A new element; attributes without a value are left out."""
    return etree.Element(tag, {name: _clean(text) for name, text in attributes.items() if text})


def child(parent: Any, tag: str, **attributes: str) -> Any:
    """A new element at the end of another one."""
    made = new(tag, **attributes)
    parent.append(made)
    return made


def add_text(parent: Any, text: str) -> None:
    """Text at the end of an element."""
    text = _clean(text)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def styled(parent: Any, tag: str) -> Any:
    """Where text of a kind ("b", "sup"; empty for plain) goes: the element before it if it goes on, else a new one."""
    last = parent[-1] if len(parent) else None
    return last if last is not None and last.tag == tag and not last.tail else child(parent, tag) if tag else parent


def formula_text(formula: Any) -> str:
    """What a formula of Office says in one line; what belongs together in it is not told."""
    parts = ((element.tag.rpartition("}")[2], element.text) for element in formula.iter("{*}*"))
    return f" {''.join((text or '') if kind == 't' else _SIGNS.get(kind, '') for kind, text in parts)} "


def unwrap_only_paragraph(cell: Any) -> None:
    """Make the only paragraph of a cell inline: a table of plain cells holds data, even in one row."""
    if len(cell) == 1 and cell[0].tag == "p":
        cell[0].tag = "span"


def says(element: Any) -> str:
    """All text of an element."""
    return "".join(element.itertext()).strip()


def _clean(text: str) -> str:
    """Text that XML can hold: no control characters, no halves of surrogate pairs."""
    return text.translate(_FORBIDDEN).encode("utf-8", "ignore").decode("utf-8")
