"""Conversion of sheets to drafts: tables in pieces, titles as captions, other cells as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from backtrail.ingest.draft import Draft
from backtrail.ingest.html.text import normalise
from backtrail.ingest.sheets.blocks import Block, find_blocks, texts
from backtrail.ingest.sheets.header import divide, merged_names
from backtrail.ingest.sheets.sheet import MAX_LINKS, CellRange, Row, Sheet
from backtrail.state.component import Link, Locator, Table

ROWS_A_PIECE = 200
"""Most rows of one component."""

_TITLE_CHARACTERS = 120
_SENTENCE_ENDS = (".", "!", "?", "。", ":", ";")
"""Letters and ends of lines above a table that are no title. Without the ends, forms and notes are captions in six of
200 workbooks of Apache POI's tests; without the bound, in three."""
_NEAR = 3
"""Most rows between a title and its table. With 1, twelve of 200 workbooks lose titles; with 10, five have more."""

_WEB = ("http://", "https://")


class SheetDrafts:
    """Converter of sheets to drafts.

    Args:
        document_id: id of the workbook or file.
        always_named: see ``divide``.
    """

    def __init__(self, document_id: str, *, always_named: bool = False) -> None:
        self.document_id = document_id
        self.always_named = always_named
        self.drafts: list[Draft] = []

    def add(self, sheet: Sheet, caption: str = "") -> None:
        """Add the drafts of one sheet. Tables without a title get ``caption``, by default the sheet's name."""
        cells = (((number, column), cell) for number, row in enumerate(sheet.rows) for column, cell in enumerate(row))
        links = dict(islice((one for one in cells if one[1].startswith(_WEB) and " " not in one[1]), MAX_LINKS))
        self._links: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for (row, column), href in sorted((links | sheet.links).items()):
            self._links[row].append((column, href))
        known = len(self.drafts)
        above: Block | None = None
        for block in find_blocks(sheet):
            if block.is_words:
                if above:
                    self._add_text(sheet, above)
                above = block
            else:
                self._add_table(sheet, block, self._titles_of(sheet, above, block), caption or sheet.name)
                above = None
        if above:
            self._add_text(sheet, above)
        if sheet.name and len(self.drafts) > known:
            self.drafts[known].ids.append(sheet.name)

    def _links_within(
        self, sheet: Sheet, place: CellRange, first_row: int | None = None, columns: Sequence[int] = ()
    ) -> list[Link]:
        """Return the links of a range; links within the workbook lead to the start of the target sheet.

        Args:
            sheet: the sheet.
            place: the range.
            first_row: first row of a table's body, from which rows of links count.
            columns: columns of the table in order.
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
            if href.startswith("#"):
                named = href[1:].rpartition("!")[0].strip("'").replace("''", "'") or sheet.name
                found.append(Link(target=self.document_id, component=named, **at))
            else:
                found.append(Link(target=href, kind="external", **at))
        return found

    def _titles_of(self, sheet: Sheet, waiting: Block | None, block: Block) -> list[str]:
        """Return the lines above a table as its caption; add sentences and distant lines as text."""
        lines = [line for row in waiting.rows for line in texts(row)] if waiting else []
        far = waiting is not None and block.place.top - waiting.place.bottom > _NEAR
        if waiting and (far or any(len(line) > _TITLE_CHARACTERS or line.endswith(_SENTENCE_ENDS) for line in lines)):
            self._add_text(sheet, waiting)
            return []
        return lines

    def _add_text(self, sheet: Sheet, block: Block) -> None:
        """Add lines of text, at most ``ROWS_A_PIECE`` per component; the first one has the links."""
        links = self._links_within(sheet, block.place)
        lines = [line for row in block.rows for line in texts(row)]
        for start in range(0, len(lines), ROWS_A_PIECE):
            text = "\n".join(lines[start : start + ROWS_A_PIECE])
            locator = Locator(sheet=sheet.name or None, first_row=block.place.top + 1)
            self.drafts.append(Draft(sheet.name, text=text, links=links, locator=locator))
            links = []

    def _add_table(self, sheet: Sheet, block: Block, titles: list[str], caption: str) -> None:
        layout = divide(block, always_named=self.always_named)
        titles = titles + [line for row in block.rows[: layout.titles] for line in texts(row)]
        caption = " – ".join(dict.fromkeys(filter(None, map(normalise, titles)))) or caption
        body_start = layout.titles + layout.header
        used = (any(column) for column in zip(*block.rows[layout.titles :], strict=True))
        columns = [number for number, is_used in enumerate(used) if is_used]
        header = merged_names(block.rows[layout.titles : body_start], len(block.rows[0]))
        for start, rows in _pieces(block.rows, body_start):
            first = block.place.top + start
            place = block.place._replace(
                top=first if start > body_start else block.place.top, bottom=first + len(rows) - 1
            )
            table = Table(
                caption=caption,
                header=tuple(header[column] for column in columns),
                rows=tuple(tuple(row[column] for column in columns) for row in rows),
            )
            links = self._links_within(sheet, place, first, [block.place.left + number for number in columns])
            locator = Locator(sheet=sheet.name or None, first_row=first + 1)
            self.drafts.append(Draft(sheet.name, table=table, links=links, locator=locator))


def _pieces(rows: list[Row], start: int) -> Iterator[tuple[int, list[Row]]]:
    """Yield the start and rows of each piece of a body, without blank rows at its ends."""
    if start == len(rows):
        yield start, []
    for at in range(start, len(rows), ROWS_A_PIECE):
        filled = [number for number in range(at, min(at + ROWS_A_PIECE, len(rows))) if any(rows[number])]
        if filled:
            yield filled[0], rows[filled[0] : filled[-1] + 1]
