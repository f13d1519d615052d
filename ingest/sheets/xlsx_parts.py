"""What a sheet of an .xlsx file has besides values: merged cells, links, marked tables, comments, drawings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.archive import Archive
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.relations import Relation, read_relations
from backtrail.ingest.sheets.conditional_formats import MAX_RULES, FormatRule, read_rules
from backtrail.ingest.sheets.sheet import CellRange, NamedTable, cell_range

MAX_SPANS = 50_000
"""Merged cells of one sheet that are read; ours."""

MAX_LINKS = 65_530
"""Of one sheet, as in Excel."""

MAX_ROW_ELEMENTS = 1_048_576
"""Of one sheet, as in Excel; what follows more of them is not read."""

MAX_ROW_CELLS = 16_384
"""In one row, as in Excel."""

MAX_FORMATTINGS = 5_000
"""Ranges with formats under conditions that are looked at, whether or not these change numbers; ours."""

_HIGHEST = 10**9
_M = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_R_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_DEFAULT_NAME = re.compile(r"(table|tabelle|tableau|tabla|tabella)\d+", re.I)


@dataclass
class SheetParts:
    """The extras of one sheet; ``drawings`` are names of parts, ``comments`` are by cell ("B7").

    ``last_row`` is the number of the last row with a cell that holds anything, from 1; None where it is not known.
    """

    spans: list[CellRange] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    tables: list[NamedTable] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    drawings: list[str] = field(default_factory=list)
    formulas_without_value: int = 0
    last_row: int | None = 0
    widest: int = 0
    format_rules: list[FormatRule] = field(default_factory=list)


def read_parts(archive: Archive, part: str, formats: Sequence[str] = ()) -> SheetParts:
    """Read a sheet's part as a stream, and the parts it refers to.

    Args:
        archive: the workbook.
        part: name of the sheet's part.
        formats: as ``differential_formats`` gives them.

    Raises:
        UnreadableSource: it has rows that are wider than any workbook's.
    """
    found = SheetParts()
    relations = read_relations(archive, part)
    with archive.stream(part) as stream:
        _scan(stream, found, relations, formats)
    if found.widest > MAX_ROW_CELLS:
        problem = (
            f"the part {part[:80]} has a row of {found.widest:,} cells; no workbook has more than {MAX_ROW_CELLS:,}"
        )
        raise UnreadableSource(str(archive.path), problem, "Do not trust this file; export it again if it is yours")
    for relation in relations.values():
        if relation.is_external or relation.target not in archive:
            continue
        if relation.kind == "table":
            found.tables += _marked_table(archive.tree(relation.target))
        elif relation.kind == "comments":
            found.comments |= _comments(archive.tree(relation.target))
        elif relation.kind in ("drawing", "chart"):
            found.drawings.append(relation.target)
    return found


def differential_formats(archive: Archive, workbook: str) -> list[str]:
    """Number formats of the styles that conditions give to cells, in order; "" where a style has none."""
    styles = (one.target for one in read_relations(archive, workbook).values() if one.kind == "styles")
    root = archive.tree(next(styles, ""))
    found = (style.find("{*}numFmt") for style in root.iterfind("{*}dxfs/{*}dxf")) if root is not None else ()
    return [shown.get("formatCode") or "" if shown is not None else "" for shown in found]


def _scan(stream: Any, found: SheetParts, relations: dict[str, Relation], formats: Sequence[str]) -> None:
    names = ("row", "mergeCell", "hyperlink", "conditionalFormatting")
    tags = tuple(f"{space}{name}" for space in (_M, _STRICT) for name in names)
    events = etree.iterparse(stream, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
    seen: Counter[str] = Counter()
    number = 0
    try:
        for _, element in events:
            name = etree.QName(element).localname
            seen[name] += 1
            if name == "row":
                if seen[name] > MAX_ROW_ELEMENTS:
                    return
                number = _number_of(element, number)
                found.widest = max(found.widest, len(element))
                if any(len(cell) for cell in element):  # rows that are only styled are written too
                    found.last_row = max(found.last_row or 0, number)
                found.formulas_without_value += _unanswered(element)
            elif name == "mergeCell":
                place = cell_range(element.get("ref")) if len(found.spans) < MAX_SPANS else None
                found.spans.extend([place] if place else [])
            elif name == "conditionalFormatting":
                if len(found.format_rules) < MAX_RULES and seen[name] <= MAX_FORMATTINGS:
                    found.format_rules += read_rules(element, formats)
            elif seen[name] <= MAX_LINKS:
                _add_link(element, found, relations)
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except (etree.XMLSyntaxError, ValueError):
        found.last_row = None  # the reader of values says what is wrong with it


def _number_of(row: Any, before: int) -> int:
    """The number of a row, which may leave it to those before.

    Raises:
        ValueError: it is none.
    """
    written = row.get("r")
    number = before + 1 if written is None else int(written)
    if number > _HIGHEST:
        raise ValueError(written)
    return number


def _unanswered(row: Any) -> int:
    """How many cells of a row have a formula whose result is not stored."""
    return sum(
        1 for cell in row if any(part.tag.endswith("}f") for part in cell) and not any(part.text for part in cell[1:])
    )


def _add_link(element: Any, found: SheetParts, relations: dict[str, Relation]) -> None:
    place = cell_range(element.get("ref"))
    relation = relations.get(element.get(_R) or element.get(_R_STRICT) or "")
    location = element.get("location") or ""
    if place is None:
        return
    if relation is not None and relation.target:
        found.links[place.top, place.left] = relation.target + (f"#{location}" if location else "")
    elif location:
        found.links[place.top, place.left] = f"#{location}"


def _marked_table(root: Any | None) -> list[NamedTable]:
    place = cell_range(root.get("ref")) if root is not None else None
    if root is None or place is None:
        return []
    name = root.get("displayName") or root.get("name") or ""
    header = root.get("headerRowCount", "1")
    shown = "" if _DEFAULT_NAME.fullmatch(name) else name.replace("_", " ")
    return [NamedTable(place, shown, int(header) if header.isdigit() else 1)]


def _comments(root: Any | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter("{*}comment") if root is not None else ():
        words = normalise("".join(part.text or "" for part in element.iter("{*}t")))
        if words and element.get("ref"):
            found[element.get("ref")] = words
    return found
