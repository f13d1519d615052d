"""Rewrite lists laid out as tables of a mark and a text, as in filings to authorities."""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.html.rewrites.tree import said

_MARK = re.compile(r"[•·●○◦▪■□–—*†‡§¶qo]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\((?:[ivx]{1,5}|\*+)\)|\*{1,4}")
_NOT_IN_LISTS = ("th", "caption", "table", "img", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "ol")
_GROUPS = ("thead", "tbody", "tfoot")


def read_marked_rows(table: Any) -> bool:
    """Rewrite a table to a list if every row is a mark and one text; else return False."""
    if any(part is not table for part in table.iter(*_NOT_IN_LISTS)):
        return False
    rows = [[cell for cell in row.iter("td") if said(cell)] for row in table.iter("tr")]
    rows = [row for row in rows if row]
    if not rows or not all(len(row) == 2 and _MARK.fullmatch(said(row[0])) for row in rows):
        return False
    table.tag = "ul"
    for part in table.iter(*_GROUPS, "tr", "td", "p", "div"):
        part.tag = {"tr": "li", "td": "span"}.get(part.tag, "span")
        if part.tag == "span":
            part.tail = f" {part.tail or ''}"
    return True
