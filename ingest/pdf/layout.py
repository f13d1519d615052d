"""Lay out a page: paragraphs, tables and figures in reading order, with boxes and captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.ingest.pdf.annotations import LinkAnnotation
from backtrail.ingest.pdf.captions import Kind, Label, match_captions, read_label
from backtrail.ingest.pdf.charts import chart_figures
from backtrail.ingest.pdf.drawings import Rule
from backtrail.ingest.pdf.figures import Figure, drawn_figures, raster_figures
from backtrail.ingest.pdf.fragments import Fragment, joined, read_rows
from backtrail.ingest.pdf.geometry import Box, across, along, area, centre_in, shown_again, union
from backtrail.ingest.pdf.gutters import Piece, pieces
from backtrail.ingest.pdf.page_words import PageWords
from backtrail.ingest.pdf.paragraphs import Block, form_block, read_blocks
from backtrail.ingest.pdf.reading_order import Found, Placed, place_object, place_row, read_columns, text_columns
from backtrail.ingest.pdf.reading_order import Part as Sorted
from backtrail.ingest.pdf.tables.aligned import find_runs
from backtrail.ingest.pdf.tables.grid import FoundTable, is_number
from backtrail.ingest.pdf.tables.names import names_figures
from backtrail.ingest.pdf.tables.number_tables import number_tables
from backtrail.ingest.pdf.tables.part_ruled import part_ruled_tables
from backtrail.ingest.pdf.tables.ruled import join_rules, ruled_tables

# Figures: pages of 112 that change, and pairs of cells of 34 documents of ICDAR 2013 (10,493 of 10,971 right).
# At 0.6: 1 page, pairs +0 right, -1 found.
_SHARED = 0.3  # minimum share of the height of the lower of two tables that are read from the same rows
# At 0.35: 1 page, pairs +0 right, -12 found; at 1.4: pairs -125 right, +43 found.
_PART = 0.7  # maximum share of a whole table's area that a part of it has
_CURRENCIES = frozenset("$€£¥")
_NEAR = 6.0  # points
_ASIDE = 12.0  # points: nearer turned words are labels of a figure
_OCR_SCALE = 200 / 72
"""Pixels per point of a page rendered for OCR."""


@dataclass
class Part:
    """A future component or heading: exactly one of block, table, figure, with its caption.

    ``aside``: text of another direction than the page's.
    """

    box: Box
    block: Block | None = None
    table: FoundTable | None = None
    figure: Figure | None = None
    caption: Block | None = None
    label: Label | None = None
    aside: bool = False
    jumps: list[tuple[LinkAnnotation, str]] = field(default_factory=list)


@dataclass
class PageLayout:
    """A page in reading order; boxes are on the displayed page, except those of cells and lines.

    ``unreadable``: its fonts have no Unicode values, so that it is one picture for OCR.
    """

    number: int
    width: float
    height: float
    parts: list[Part]
    notes: list[str]
    blank: bool = False
    unreadable: bool = False


def lay_out(words: PageWords) -> PageLayout:
    """Find tables and figures, then read the rest column by column."""
    if words.unreadable:
        whole = (0.0, 0.0, words.shown.width, words.shown.height)
        parts = [Part(whole, figure=Figure(whole, round(words.shown.width * _OCR_SCALE)))]
        return PageLayout(words.number, *whole[2:], parts, list(words.notes), unreadable=True)
    charts = _charts(words)
    drawn = [rule for rule in words.drawing.rules if not any(centre_in(_rule_box(rule), one.box) for one in charts)]
    flat = [rule for rule in drawn if not rule.upright]
    tables, figures, rest = _objects(words, charts, join_rules(drawn), flat)
    objects: list[FoundTable | Figure] = [*tables, *figures]

    def split(ordered: Sequence[Placed]) -> list[Sorted]:
        """Split rows into tables, forms and the rows between them."""
        parts: list[Sorted] = []
        done = 0
        for run in find_runs(ordered, flat):
            parts.append(list(ordered[done : run.start]))
            done = run.end
            if run.table is not None:
                objects.append(run.table)
                parts.append(Found([[place_object(run.table.box, len(objects) - 1)]]))
            else:
                parts.append(Found([[place_row(row, form=True) for row in group] for group in run.groups]))
        return [*parts, list(ordered[done:])]

    placed = [place_object(one.box, number) for number, one in enumerate(objects)]
    placed += [place_row(row) for row in read_rows(rest)]
    parts = [part for column in read_columns(placed, split) for part in _parts_of(column, objects)]
    parts = _with_captions(parts)
    _add_jumps(parts, words.jumps, words.fragments)
    for part in parts:
        part.box = shown_again(part.box, words.turn, words.shown)
    for turn, fragments in words.aside.items():
        parts += _aside(turn, fragments, words, parts)
    return PageLayout(words.number, words.shown.width, words.shown.height, parts, list(words.notes), words.blank)


def _charts(words: PageWords) -> list[Figure]:
    captions = [box for box, label in _label_rows(words.fragments) if label.kind == "figure"]
    return chart_figures(words.drawing.shapes, words.frame, _pieces(words.fragments), captions)


def _pieces(fragments: Sequence[Fragment]) -> list[Piece]:
    return [piece for row in read_rows(fragments) for piece in pieces(row)]


def _objects(
    words: PageWords, charts: Sequence[Figure], rules: Sequence[Rule], flat: Sequence[Rule]
) -> tuple[list[FoundTable], list[Figure], list[Fragment]]:
    """Return ruled and part-ruled tables, figures, and the words outside of them."""
    drawing = words.drawing
    labels = _label_rows(words.fragments)
    fragments = _without_labels(words.fragments, charts)
    figure_captions = [box for box, label in labels if label.kind == "figure"]
    tables = [
        table
        for table in ruled_tables(rules, fragments)
        if not _is_diagram(table, figure_captions, [box for box, label in labels if label.kind == "table"])
        and area(table.box) < 0.98 * words.frame.width * words.frame.height
    ]
    free = [rule for rule in rules if not any(centre_in(_rule_box(rule), table.box, 3.0) for table in tables)]
    rest = _outside(fragments, [table.box for table in tables])
    part_ruled = part_ruled_tables(free, rest)
    if tables or part_ruled:
        rows = text_columns([place_row(row) for row in read_rows(fragments)])
        unruled = [table for sides in rows for side in sides for *_, table in number_tables(side, flat)]
        tables = _named(tables, unruled, grids=True) + _named(part_ruled, unruled, grids=False)
    rest = _outside(fragments, [table.box for table in tables])
    figures = raster_figures(drawing.rasters)
    found = [*tables, *charts]
    shapes = [shape for shape in drawing.shapes if not any(centre_in(shape.box, one.box, 3.0) for one in found)]
    drawn = [*charts, *drawn_figures(shapes, words.frame, _pieces(rest), figure_captions)]
    figures = [one for one in figures if not any(_covers(other.box, one.box) for other in drawn)] + drawn
    rest = _without_labels(rest, drawn)
    whole = words.frame.width * words.frame.height
    # a picture that fills the page is a background
    return tables, [one for one in figures if area(one.box) < 0.6 * whole or not rest], rest


def _named(tables: Sequence[FoundTable], unruled: Sequence[FoundTable], *, grids: bool) -> list[FoundTable]:
    """Drop tables that are read better if the rules are left aside; they are read again from the rows."""
    return [table for table in tables if not any(_is_better(other, table, grids) for other in unruled)]


def _is_better(unruled: FoundTable, table: FoundTable, grid: bool) -> bool:
    """Whether a table found without rules names its figures, where a grid does not or is a part of it."""
    lower = min(one.box[3] - one.box[1] for one in (unruled, table))
    if across(unruled.box, table.box) <= 0 or along(unruled.box, table.box) < _SHARED * lower:
        return False
    named = names_figures(unruled)
    if _is_part(table, unruled) or (named and (not grid or _spreads_figures(table))):
        return True
    return not names_figures(table) and (named or unruled.columns != table.columns)


def _spreads_figures(table: FoundTable) -> bool:
    """Whether figures reach over columns: the rules are not those of the columns."""
    body = (cell for cell in table.cells if cell.row >= table.heads and cell.end_column - cell.column > 1)
    return any(cell.text and all(map(_is_figure, cell.text.split())) for cell in body)


def _is_figure(word: str) -> bool:
    return is_number(word) or word in _CURRENCIES


def _is_part(table: FoundTable, unruled: FoundTable) -> bool:
    """Whether a ruled table is only the heads, or only the left side, of one found without rules."""
    if not unruled.heads or area(table.box) >= _PART * area(unruled.box):
        return False
    body = min(cell.box[1] for cell in unruled.cells if cell.row >= unruled.heads)
    return table.box[3] <= body + _NEAR or abs(table.box[0] - unruled.box[0]) <= _NEAR


def _without_labels(fragments: Sequence[Fragment], figures: Sequence[Figure]) -> list[Fragment]:
    labels = {id(fragment) for figure in figures for fragment in figure.labels}
    return [fragment for fragment in fragments if id(fragment) not in labels]


def _label_rows(fragments: Sequence[Fragment]) -> list[tuple[Box, Label]]:
    """Return rows and parts of rows that begin like a caption."""
    found = []
    for row in read_rows(fragments):
        for piece in pieces(row):
            label = read_label(joined(piece.fragments))
            if label is not None:
                found.append((union([fragment.box for fragment in piece.fragments]), label))
    return found


def _is_diagram(table: FoundTable, figures: Sequence[Box], tables: Sequence[Box]) -> bool:
    """Whether crossing rules are a diagram: the caption beside them is that of a figure."""
    named = [box for box in figures if across(box, table.box) > 0 and -along(box, table.box) <= 30]
    return bool(named) and not any(across(box, table.box) > 0 and -along(box, table.box) <= 30 for box in tables)


def _rule_box(rule: Rule) -> Box:
    return (rule.at, rule.start, rule.at, rule.end) if rule.upright else (rule.start, rule.at, rule.end, rule.at)


def _outside(fragments: Sequence[Fragment], boxes: Sequence[Box]) -> list[Fragment]:
    return [one for one in fragments if not any(centre_in(one.box, box, 1.0) for box in boxes)]


def _covers(outer: Box, inner: Box) -> bool:
    return across(outer, inner) * along(outer, inner) >= 0.7 * area(inner) and across(outer, inner) > 0


def _parts_of(column: Sequence[Placed], objects: Sequence[FoundTable | Figure]) -> list[Part]:
    if all(one.form for one in column):
        block = form_block([one.row for one in column if one.row is not None])
        return [Part(block.box, block=block)]
    parts: list[Part] = []
    rows = []
    for one in column:
        if one.row is not None:
            rows.append(one.row)
            continue
        parts += [Part(block.box, block=block) for block in read_blocks(rows)]
        rows = []
        found = objects[one.object]
        table, figure = (found, None) if isinstance(found, FoundTable) else (None, found)
        parts.append(Part(found.box, table=table, figure=figure))
    return [*parts, *(Part(block.box, block=block) for block in read_blocks(rows))]


def _with_captions(parts: list[Part]) -> list[Part]:
    """Move captions from the text to their tables and figures."""
    captions = [(part, label) for part in parts if part.block and (label := read_label(_plain(part.block))) is not None]
    objects = [part for part in parts if part.block is None]
    kinds: list[tuple[Box, Kind]] = [(part.box, "table" if part.table else "figure") for part in objects]
    matched = match_captions([(part.box, label) for part, label in captions], kinds)
    taken = set()
    for number, other in matched.items():
        part, label = captions[number]
        objects[other].caption, objects[other].label = part.block, label
        taken.add(id(part))
    return [part for part in parts if id(part) not in taken]


def _plain(block: Block) -> str:
    return " ".join(line.text for line in block.lines)


def _add_jumps(parts: Sequence[Part], jumps: Sequence[LinkAnnotation], fragments: Sequence[Fragment]) -> None:
    """Add each link to the part at its position, with the words that it covers."""
    for jump in jumps:
        part = next((part for part in parts if centre_in(jump.box, part.box, 1.0)), None)
        if part is None:
            continue
        words = [fragment for fragment in fragments if centre_in(fragment.box, jump.box, 0.5)]
        anchor = " ".join(joined(row.fragments) for row in read_rows(words))
        part.jumps.append((jump, anchor))


def _aside(turn: int, fragments: Sequence[Fragment], words: PageWords, parts: list[Part]) -> list[Part]:
    """Return text of another direction: as labels of figures, or as blocks at the end of the page."""
    free: list[Fragment] = []
    main_turned = words.shown
    for fragment in fragments:
        box = shown_again(fragment.box, turn, main_turned)
        beside = (part for part in parts if min(across(box, part.box), along(box, part.box)) > -_ASIDE)
        part = next((part for part in beside if part.figure is not None), None)
        if part is None or part.figure is None:
            free.append(fragment)
        else:
            part.figure.labels.append(fragment)
            part.box = union([part.box, box])
    columns = read_columns([place_row(row) for row in read_rows(free)], lambda ordered: [list(ordered)])
    blocks = [block for column in columns for block in read_blocks([one.row for one in column if one.row is not None])]
    return [Part(shown_again(block.box, turn, words.shown), block=block, aside=True) for block in blocks]
