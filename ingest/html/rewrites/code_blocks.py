"""Rewrite listings: remove line numbers and buttons from tables and lists of code.

Of 2,408 pages, 23 have tables of code and six numbers or buttons in listings.
"""

from __future__ import annotations

from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.rewrites.tree import classes, taken_out

_NUMBERS = frozenset({
    "linenos", "lineno", "linenodiv", "line-number", "line-numbers", "line-numbers-rows", "linenumber", "lnt", "ln",
    "gutter", "rouge-gutter", "hljs-ln-numbers", "hljs-ln-n", "blob-num", "crayon-nums", "code-line-number", "nums",
    "line_numbers", "gl", "react-syntax-highlighter-line-number", "chroma-ln",
})  # fmt: skip
_BESIDE = frozenset(
    {"copybtn", "copy", "clipboard", "copy-button", "copy-btn", "code-copy", "toolbar-item", "md-clipboard"}
)
_MOST_ROWS = 20_000


def read_code(element: Any) -> bool:
    """Rewrite a table of code lines, or clear a listing of its numbers; False if the element is neither."""
    if element.tag == "table":
        return _of_table(element)
    if element.tag == "pre":
        _without_numbers(element)
    return False


def _of_table(table: Any) -> bool:
    cells = [cell for cell in table.iter("td", "th") if next(cell.iterancestors("table")) is table]
    if len(cells) < 2 or len(cells) > 3 * _MOST_ROWS or not any(_numbers(cell) for cell in cells):
        return False
    code = [cell for cell in cells if not _numbers(cell) and cell.tag == "td"]
    if not code or not (len(cells) > 2 or any(_is_code(cell) for cell in code)):
        return False
    lines = [_lines(cell) for cell in code]
    title = next((cell for cell in cells if cell.tag == "th" and not _numbers(cell)), None)
    listing = etree.Element("pre")
    listing.text = "\n".join(lines)
    listing.tail = table.tail
    if table.get("id"):
        listing.set("id", table.get("id"))
    table.getparent().replace(table, listing)
    if title is not None:
        name = etree.Element("p")
        name.text = " ".join("".join(title.itertext()).split())
        listing.addprevious(name)
    return True


def _is_code(cell: Any) -> bool:
    """Return whether a cell is marked as code, which identifies a listing of a single line."""
    if next(cell.iter("pre", "code"), None) is not None:
        return True
    return any(name in ("code", "line", "blob-code", "blob-code-inner") for name in classes(cell))


def _numbers(cell: Any) -> bool:
    if cell.get("data-line-number") and not (cell.text or "").strip():
        return True
    return any(name in _NUMBERS for name in classes(cell))


def _lines(cell: Any) -> str:
    for part in list(cell.iter("br")):
        part.text = "\n"
    for part in list(cell.iter("div", "p")):
        if (part.tail or "").strip() == "" and part is not cell:
            part.tail = "\n"
    for part in [part for part in cell.iter(etree.Element) if part is not cell and _beside(part)]:
        taken_out(part)
    return "".join(cell.itertext()).strip("\n")


def _beside(element: Any) -> bool:
    names = classes(element)
    return element.tag == "button" or any(name in _NUMBERS or name in _BESIDE for name in names)


def _without_numbers(listing: Any) -> None:
    for part in [part for part in listing.iter(etree.Element) if part is not listing and _beside(part)]:
        # some highlighters use such a name for the line itself
        if part.tag == "button" or not "".join(part.itertext()).strip(" \t\r\n0123456789"):
            taken_out(part)
