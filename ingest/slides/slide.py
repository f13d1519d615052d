"""One slide: texts, tables, charts, pictures and diagrams as drafts, speaker notes and comments after them."""

from __future__ import annotations

import re
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER

from backtrail.ingest.archive import parse_xml
from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.html.grid import Span, resolve_grid
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.captions import join_picture_captions
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.sheets.blocks import Block
from backtrail.ingest.sheets.header import divide, merged_names
from backtrail.ingest.sheets.sheet import CellRange
from backtrail.ingest.slides.paragraphs import read_paragraphs
from backtrail.ingest.slides.reading_order import in_reading_order
from backtrail.ingest.word.names import R, local
from backtrail.state.component import Link, Locator, Table

MAX_DEPTH = 20
"""How deep groups may stand in each other; ours."""

_FURNITURE = frozenset({PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER})
_TITLES = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})
_DEFAULT_NAME = re.compile(r".*\d|", re.S)


class SlideReader:
    """Reads one slide.

    Args:
        slide: as python-pptx gives it.
        number: 1-based.
        numbers: of all slides, by the names of their parts.
        targets: resolves links that lead out of the deck.
        group: the section of the deck that the slide is in, if any.
    """

    def __init__(self, slide: Any, number: int, numbers: dict[str, int], targets: LinkTargets, group: str) -> None:
        self.drafts: list[Draft] = []
        self.notes: list[str] = []
        self._slide = slide
        self._numbers = numbers
        self._targets = targets
        self._locator = Locator(slide=number)
        self.title = self._title()
        self._section = " > ".join(part for part in (group, self.title or f"Slide {number}") if part)
        self._name = f"slide-{number}"

    def read(self) -> list[Draft]:
        """The drafts of the slide; the first one goes by the slide's name."""
        for shape in in_reading_order(list(self._slide.shapes)):
            self._shape(shape, 0)
        self.drafts = join_picture_captions(self.drafts)
        if self.title and not any(draft.text for draft in self.drafts):
            self.drafts.insert(0, self._draft(text=self.title))
        self._add_notes()
        self._add_comments()
        if self.drafts:
            self.drafts[0].ids.insert(0, self._name)
        return self.drafts

    def _title(self) -> str:
        for shape in self._slide.placeholders:
            if shape.placeholder_format.type in _TITLES and shape.has_text_frame:
                return normalise(shape.text_frame.text.replace("\v", " "))
        return ""

    def _draft(self, **content: Any) -> Draft:
        return Draft(self._section, locator=self._locator, **content)

    def _shape(self, shape: Any, depth: int) -> None:
        if shape.is_placeholder and shape.placeholder_format.type in _FURNITURE | _TITLES:
            return
        if hasattr(shape, "shapes"):
            if depth < MAX_DEPTH:
                for inner in in_reading_order(list(shape.shapes)):
                    self._shape(inner, depth + 1)
            return
        if getattr(shape, "has_table", False):
            self._table(shape)
        elif getattr(shape, "has_chart", False):
            self._chart(shape)
        elif shape.has_text_frame:
            self._text(shape)
        if not getattr(shape, "has_chart", False):
            self._pictures(shape)
            self._diagram(shape)

    def _text(self, shape: Any) -> None:
        text, links = read_paragraphs(shape._element.find("{*}txBody"), self._link)
        click = next(iter(shape._element.iter("{*}cNvPr")), None)
        for element in click if click is not None else ():
            if local(element) == "hlinkClick":
                link = self._link(element.get(f"{R}id") or "", element.get("action") or "", text)
                links.extend([link] if link else [])
        if text:
            self.drafts.append(self._draft(text=text, links=links))

    def _link(self, relation_id: str, action: str, anchor: str) -> Link | None:
        relation = self._slide.part.rels.get(relation_id)
        if relation is None:
            return None
        if relation.is_external:
            return self._targets.link(relation.target_ref, anchor)
        number = self._numbers.get(str(relation.target_part.partname))
        if number is None or "hlinksldjump" not in action:
            return None
        return Link(target=self._targets.document_id, component=f"slide-{number}", anchor=anchor)

    def _table(self, shape: Any) -> None:
        rows = [list(row.cells) for row in shape.table.rows]
        starts = [[cell for cell in row if not cell.is_spanned] for row in rows]
        spans = [[Span(cell.span_width, cell.span_height) for cell in row] for row in starts]
        cells = [cell for row in starts for cell in row]
        read = [read_paragraphs(cell._tc.find("{*}txBody"), self._link) for cell in cells]
        grid = resolve_grid(spans)
        texts = [[normalise(read[slot][0]) if slot is not None else "" for slot in row] for row in grid]
        if not any(any(row) for row in texts):
            return
        header, width = _header_rows(texts, marked=shape.table.first_row), len(texts[0])
        table = Table(
            caption=self._named(shape) or self.title,
            header=merged_names(texts[:header], width) if header else ("",) * width,
            rows=tuple(tuple(row) for row in texts[header:]),
        )
        self.drafts.append(self._draft(table=table, links=_cell_links(grid, [links for _, links in read], header)))

    def _chart(self, shape: Any) -> None:
        root = parse_xml(shape.chart.part.blob)
        table = chart_table(root, self._named(shape) or self.title) if root is not None else None
        if table is not None:
            self.drafts.append(self._draft(table=table))

    def _pictures(self, shape: Any) -> None:
        """Pictures of the shape itself, as its filling, or as the preview of an embedded object."""
        for blip in shape._element.iter("{*}blip"):
            relation = self._slide.part.rels.get(blip.get(f"{R}embed") or blip.get(f"{R}link") or "")
            if relation is None:
                continue
            source = relation.target_ref if relation.is_external else str(relation.target_part.partname).lstrip("/")
            picture = PictureDraft(source, alt=_description(shape), title=self.title)
            self.drafts.append(self._draft(picture=picture))

    def _diagram(self, shape: Any) -> None:
        for reference in shape._element.iter("{*}relIds"):
            relation = self._slide.part.rels.get(reference.get(f"{R}dm") or "")
            root = parse_xml(relation.target_part.blob) if relation and not relation.is_external else None
            text, links = read_paragraphs(root, self._link)
            if text:
                self.drafts.append(self._draft(text=text, links=links))

    def _named(self, shape: Any) -> str:
        """What the author calls a shape: its description, or a name that is no default one ("Table 3")."""
        name = normalise(shape.name or "")
        return _description(shape) or ("" if _DEFAULT_NAME.fullmatch(name) else name)

    def _add_notes(self) -> None:
        if not self._slide.has_notes_slide:
            return
        frame = self._slide.notes_slide.notes_text_frame
        text, links = read_paragraphs(frame._txBody, lambda *_: None) if frame is not None else ("", [])
        if text:
            draft = Draft(f"{self._section} > Speaker notes", text=text, links=links, locator=self._locator)
            self.drafts.append(draft)

    def _add_comments(self) -> None:
        for relation in self._slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(("/comments", "/comment")):
                continue
            root = parse_xml(relation.target_part.blob)
            for comment in root if root is not None else ():
                words = [part.text or "" for part in comment.iter() if local(part) in ("text", "t")]
                if normalise(" ".join(words)):
                    text = f"Comment: {normalise(' '.join(words))}"
                    self.drafts.append(Draft(f"{self._section} > Comments", text=text, locator=self._locator))


def _header_rows(texts: list[list[str]], *, marked: bool) -> int:
    """One row if the author marked it, or more where groups of columns stand above their names."""
    if len(texts) < 2 or not marked:
        return 0
    if len(texts[0]) < 2:
        return 1
    layout = divide(Block(CellRange(0, 0, len(texts) - 1, len(texts[0]) - 1), texts))
    return max(1, layout.titles + layout.header if layout.header else 0)


def _description(shape: Any) -> str:
    properties = next(iter(shape._element.iter("{*}cNvPr")), None)
    return normalise(properties.get("descr") or properties.get("title") or "") if properties is not None else ""


def _cell_links(grid: list[list[int | None]], links: list[list[Link]], header: int) -> list[Link]:
    """The links of cells with the row and column where the cell begins; no row for those of the header."""
    seen: set[int] = set()
    found: list[Link] = []
    for number, row in enumerate(grid):
        for column, cell in enumerate(row):
            if cell is not None and cell not in seen:
                seen.add(cell)
                place = {"row": number - header if number >= header else None, "column": column}
                found.extend(link.model_copy(update=place) for link in links[cell])
    return found
