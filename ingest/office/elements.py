"""Building the elements of a page: text goes where it belongs, in the last child's tail or the element itself."""

from __future__ import annotations

from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.state.component import Table

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


def unwrap_only_paragraph(cell: Any) -> None:
    """Make the only paragraph of a cell inline: a table of plain cells holds data, even in one row."""
    if len(cell) == 1 and cell[0].tag == "p":
        cell[0].tag = "span"


def says(element: Any) -> str:
    """All text of an element."""
    return "".join(element.itertext()).strip()


def table_element(table: Table) -> Any:
    """A table as an element."""
    made = new("table")
    add_text(child(made, "caption"), table.caption)
    if any(table.header):
        row = child(child(made, "thead"), "tr")
        for name in table.header:
            add_text(child(row, "th"), name)
    body = child(made, "tbody")
    for cells in table.rows:
        row = child(body, "tr")
        for cell in cells:
            add_text(child(row, "td"), cell)
    return made


def _clean(text: str) -> str:
    """Text that XML can hold: no control characters, no halves of surrogate pairs."""
    return text.translate(_FORBIDDEN).encode("utf-8", "ignore").decode("utf-8")
