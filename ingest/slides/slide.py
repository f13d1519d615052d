"""Conversion of a slide to HTML elements: texts, tables, charts and pictures in reading order."""

from __future__ import annotations

import re
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER

from backtrail.ingest.archive import parse_xml
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_element
from backtrail.ingest.office.elements import add_text, child, formula_text, new, says, styled
from backtrail.ingest.office.names import R, local, number_of
from backtrail.ingest.office.page import MAX_DEPTH

_FURNITURE = frozenset({PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER})
"""Left out: else 4 of 107 decks repeat dates, footers and numbers."""
_TITLES = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})


class SlideReader:
    """Converter of one slide.

    Args:
        slide: a slide of python-pptx.
        numbers: 1-based numbers of all slides, by part name.
    """

    def __init__(self, slide: Any, numbers: dict[str, int]) -> None:
        self._slide = slide
        self._numbers = numbers
        titles = (one for one in slide.placeholders if one.placeholder_format.type in _TITLES and one.has_text_frame)
        self.title = next((normalise(one.text_frame.text.replace("\v", " ")) for one in titles), "")

    def read(self, into: Any) -> None:
        """Write the content of the slide into an element."""
        self._shapes(self._slide.shapes, into, 0)

    def read_notes(self, into: Any) -> None:
        """Write the speaker notes into an element."""
        frame = self._slide.notes_slide.notes_text_frame if self._slide.has_notes_slide else None
        if frame is not None:
            self._text(frame._txBody, into)

    def _shapes(self, shapes: Any, into: Any, depth: int) -> None:
        """Convert shapes from top to bottom, those at one height from left to right."""
        ordered = sorted(shapes, key=lambda one: (one.top or 0, one.left or 0)) if depth <= MAX_DEPTH else ()
        for shape in ordered:
            if shape.is_placeholder and shape.placeholder_format.type in _FURNITURE | _TITLES:
                continue
            if hasattr(shape, "shapes"):
                self._shapes(shape.shapes, into, depth + 1)
            elif getattr(shape, "has_table", False):
                self._table(shape, child(into, "table"))
            elif getattr(shape, "has_chart", False):
                table = chart_element(parse_xml(shape.chart.part.blob), _description(shape) or self.title)
                into.extend([table] if table is not None else [])
            else:
                self._text(shape._element.find("{*}txBody"), into, shape)
                self._drawn(shape, into)

    def _text(self, body: Any, into: Any, shape: Any = None) -> None:
        """Convert the paragraphs of a text body to lines of one text."""
        block = new("pre")
        clicks = shape._element.iterfind("./*/{*}cNvPr/{*}hlinkClick") if shape is not None else ()
        href = next(filter(None, map(self._href, clicks)), "")
        lines = child(block, "a", href=href) if href else block
        for paragraph in body.iter("{*}p") if body is not None else ():
            line = new("span")
            for part in paragraph:
                self._inline(part, line)
            if says(line):
                add_text(lines, "\n" if says(lines) else "")
                lines.append(line)
        if says(block):
            into.append(block)

    def _inline(self, part: Any, into: Any) -> None:
        kind = local(part)
        if kind in ("r", "fld"):
            href = next(filter(None, map(self._href, part.iter("{*}hlinkClick"))), "")
            words = re.sub(r"\s+", " ", "".join(run.text or "" for run in part.iterfind("{*}t")))
            properties = part.find("{*}rPr")
            raised = number_of(properties.get("baseline") or "", 1, least=-1) if properties is not None else 0
            into = child(into, "a", href=href) if href else into
            add_text(styled(into, "sup" if raised > 0 else "sub" if raised < 0 else ""), words)
        elif kind == "br":
            add_text(into, " ")
        elif kind in ("oMath", "oMathPara"):
            add_text(into, formula_text(part))
        elif kind in ("AlternateContent", "Choice", "m"):
            for one in part[:1] if kind == "AlternateContent" else part:
                self._inline(one, into)

    def _href(self, click: Any) -> str:
        relation = self._slide.part.rels.get(click.get(f"{R}id") or "")
        if relation is None or relation.is_external:
            return relation.target_ref if relation is not None else ""
        number = self._numbers.get(str(relation.target_part.partname))
        return f"#slide-{number}" if number and "hlinksldjump" in (click.get("action") or "") else ""

    def _table(self, shape: Any, made: Any) -> None:
        caption = _description(shape) or self.title
        if caption:
            add_text(child(made, "caption"), caption)
        heads = 0
        for number, row in enumerate(shape.table.rows):
            line = child(made, "tr")
            cells = [cell for cell in row.cells if not cell.is_spanned]
            if shape.table.first_row and not number:  # a merged header cell spans several header rows
                heads = max((cell.span_height for cell in cells), default=1)
            for cell in cells:
                element = child(line, "th" if number < heads else "td")
                element.attrib.update({"colspan": str(cell.span_width), "rowspan": str(cell.span_height)})
                self._text(cell._tc.find("{*}txBody"), element)
                for text in element:
                    text.tag = "span"

    def _drawn(self, shape: Any, into: Any) -> None:
        """Add the pictures of a shape: its own, its fill, or the preview of an embedded object."""
        for blip in shape._element.iter("{*}blip"):
            relation = self._slide.part.rels.get(blip.get(f"{R}embed") or blip.get(f"{R}link") or "")
            if relation is not None:
                external = relation.is_external
                source = relation.target_ref if external else str(relation.target_part.partname).lstrip("/")
                child(child(into, "p"), "img", src=source, alt=_description(shape), title=self.title)


def _description(shape: Any) -> str:
    properties = next(iter(shape._element.iter("{*}cNvPr")), None)
    return normalise(properties.get("descr") or properties.get("title") or "") if properties is not None else ""
