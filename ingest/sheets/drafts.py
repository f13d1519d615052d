"""From a sheet to drafts: tables in pieces that a reader is shown at once, titles as captions, the rest as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from backtrail.ingest.draft import Draft
from backtrail.ingest.html.text import normalise
from backtrail.ingest.sheets.blocks import Block, find_blocks, texts
from backtrail.ingest.sheets.cell_kinds import is_number
from backtrail.ingest.sheets.header import Layout, divide, merged_names
from backtrail.ingest.sheets.sheet import MAX_LINKS, CellRange, Row, Sheet, parse_reference
from backtrail.state.component import Link, Locator, Table

ROWS_A_PIECE = 200
"""Rows of one component: what a reader is shown of a table at once."""

_TITLE_CHARACTERS = 120
_SENTENCE_ENDS = (".", "!", "?", "。", ":", ";")
_NEAR = 3
"""Rows between a title and its table, at most."""

_WEB = ("http://", "https://")


class SheetDrafts:
    """Turns sheets into drafts, and keeps where each cell went.

    Args:
        document_id: of the workbook or file.
        always_named: see ``divide``.
    """

    def __init__(self, document_id: str, *, always_named: bool = False) -> None:
        self.document_id = document_id
        self.always_named = always_named
        self.drafts: list[Draft] = []
        self._places: list[tuple[str, CellRange, str]] = []

    def add(self, sheet: Sheet, caption: str = "") -> None:
        """The drafts of one sheet. ``caption`` stands for tables without a title; by default the sheet's name."""
        cells = (((number, column), cell) for number, row in enumerate(sheet.rows) for column, cell in enumerate(row))
        links = dict(islice((one for one in cells if one[1].startswith(_WEB) and " " not in one[1]), MAX_LINKS))
        self._links: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for (row, column), href in sorted((links | sheet.links).items()):
            self._links[row].append((column, href))
        waiting: list[Block] = []
        for block in find_blocks(sheet):
            if block.is_words:
                self._add_words(sheet, waiting)
                waiting = [block]
                continue
            titles = self._titles_of(sheet, waiting, block)
            waiting = []
            self._add_table(sheet, block, titles, caption or sheet.name)
        self._add_words(sheet, waiting)

    def fragment_of(self, reference: str) -> str:
        """The name under which the component that holds a cell is found; empty if none does.

        Args:
            reference: "'My sheet'!B7", "Sheet1!A1:B2" or the name of a sheet.
        """
        sheet, _, cell = reference.rpartition("!") if "!" in reference else (reference, "", "A1")
        sheet = sheet.strip("'").replace("''", "'")
        at = parse_reference(cell) or (0, 0)
        on_sheet = [(place, name) for where, place, name in self._places if where.casefold() == sheet.casefold()]
        holding = (name for place, name in on_sheet if place.holds(*at))
        return next(holding, on_sheet[0][1] if on_sheet else "")

    def resolve(self) -> None:
        """Turn links to cells into links to the components that hold them, once all sheets are in."""
        for draft in self.drafts:
            draft.links = [self._resolved(link) for link in draft.links]

    def _resolved(self, link: Link) -> Link:
        if link.kind != "internal":
            return link
        fragment = self.fragment_of(link.component or "")
        if not fragment:
            return link.model_copy(update={"kind": "dead", "target": f"#{link.component}", "component": None})
        return link.model_copy(update={"component": fragment})

    def _links_within(
        self, sheet: Sheet, place: CellRange, first_row: int | None = None, columns: Sequence[int] = ()
    ) -> list[Link]:
        """The links of a range; one within the workbook has as its component the place as it was written ("Sheet2!B7").

        Args:
            sheet: the sheet.
            place: the range.
            first_row: of the body of a table: those above it belong to the header.
            columns: of the table in order.
        """
        found: list[Link] = []
        rows = range(place.top, place.bottom + 1) if self._links else ()
        for row, (column, href) in ((number, one) for number in rows for one in self._links.get(number, ())):
            if not place.left <= column <= place.right:
                continue
            cells = sheet.rows[row] if row < len(sheet.rows) else []
            at = {
                "anchor": normalise(cells[column]) if column < len(cells) else "",
                "row": row - first_row if first_row is not None and row >= first_row else None,
                "column": columns.index(column) if column in columns else None,
            }
            if not href.startswith("#"):
                found.append(Link(target=href, kind="external", **at))
                continue
            own = "!" not in href and parse_reference(href[1:]) is not None
            reference = f"{sheet.name}!{href[1:]}" if own else href[1:]
            found.append(Link(target=self.document_id, component=reference, **at))
        return found

    def _titles_of(self, sheet: Sheet, waiting: list[Block], block: Block) -> list[str]:
        """Lines right above a table, which become its caption; sentences, and what is far away, are text."""
        titles: list[str] = []
        while waiting and block.place.top - waiting[-1].place.bottom <= _NEAR + len(titles):
            lines = [line for row in waiting[-1].rows for line in texts(row)]
            if any(len(line) > _TITLE_CHARACTERS or line.endswith(_SENTENCE_ENDS) for line in lines):
                break
            titles = lines + titles
            waiting = waiting[:-1]
        self._add_words(sheet, waiting)
        return titles

    def _add_words(self, sheet: Sheet, blocks: list[Block]) -> None:
        for block in blocks:
            lines = [line for row in block.rows for line in texts(row)]
            numbers = [line for line in lines if is_number(line)]
            if len(lines) > 2 and len(numbers) >= len(lines) - 1:  # a list of numbers under its name
                self._add_table(sheet, block, [], sheet.name)
            else:
                self._add_text(sheet, block.place, lines)

    def _add_text(self, sheet: Sheet, place: CellRange, lines: list[str]) -> None:
        """Lines of words, at most as many to a component as a table has rows; the first one has the links."""
        name = self._named(sheet, place)
        locator = Locator(sheet=sheet.name or None, first_row=place.top + 1)
        links = self._links_within(sheet, place)
        for start in range(0, len(lines), ROWS_A_PIECE):
            text = "\n".join(lines[start : start + ROWS_A_PIECE])
            draft = Draft(sheet.name, text=text, links=links, ids=[name] if name else [], locator=locator)
            self.drafts.append(draft)
            name, links = "", []

    def _add_table(self, sheet: Sheet, block: Block, titles: list[str], caption: str) -> None:
        layout = divide(block, always_named=self.always_named)
        titles = titles + [line for row in block.rows[: layout.titles] for line in texts(row)]
        caption = " – ".join(dict.fromkeys(filter(None, [*map(normalise, titles), block.name]))) or caption
        columns = _kept_columns(block.rows, layout)
        body_start = layout.titles + layout.header
        header = merged_names(block.rows[layout.titles : body_start], len(block.rows[0]))
        for start, rows in _pieces(block.rows, body_start, layout.body_end):
            place = block.place._replace(
                top=block.place.top + (start if start > body_start else 0),
                bottom=block.place.top + start + len(rows) - 1,
            )
            table = Table(
                caption=caption,
                header=tuple(header[column] for column in columns),
                rows=tuple(tuple(row[column] for column in columns) for row in rows),
            )
            name = self._named(sheet, place)
            locator = Locator(sheet=sheet.name or None, first_row=block.place.top + start + 1)
            links = self._links_within(sheet, place, block.place.top + start, [block.place.left + n for n in columns])
            draft = Draft(sheet.name, table=table, links=links, ids=[name] if name else [], locator=locator)
            self.drafts.append(draft)
        notes = [line for row in block.rows[layout.body_end :] for line in texts(row)]
        if notes:
            self._add_text(sheet, block.place._replace(top=block.place.top + layout.body_end), notes)

    def _named(self, sheet: Sheet, place: CellRange) -> str:
        """The name of a range, for links to it; none in files that have no sheets."""
        if not sheet.name:
            return ""
        name = f"{sheet.name}!{place.name}"
        self._places.append((sheet.name, place, name))
        return name


def _kept_columns(rows: list[Row], layout: Layout) -> list[int]:
    """The columns that hold anything below the titles: others are only there for looks."""
    inner = rows[layout.titles : layout.body_end]
    return [number for number, column in enumerate(zip(*inner, strict=True)) if any(column)]


def _pieces(rows: list[Row], start: int, end: int) -> Iterator[tuple[int, list[Row]]]:
    """Where each piece of a body begins, and its rows, without the blank ones at its ends."""
    if start >= end:
        yield start, []
    while start < end:
        piece = rows[start : min(start + ROWS_A_PIECE, end)]
        while piece and not any(piece[-1]):
            piece.pop()
        skipped = next((number for number, row in enumerate(piece) if any(row)), len(piece))
        if skipped < len(piece):
            yield start + skipped, piece[skipped:]
        start += ROWS_A_PIECE
