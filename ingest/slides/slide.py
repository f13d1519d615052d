"""One slide as elements of a page: texts, tables, charts, pictures and diagrams in the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER

from backtrail.ingest.archive import parse_xml
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.office.elements import add_text, child, new, says, table_element
from backtrail.ingest.office.formulas import mathml
from backtrail.ingest.office.names import R, local
from backtrail.ingest.slides.reading_order import in_reading_order

MAX_DEPTH = 20
"""How deep groups may stand in each other; ours."""

_FURNITURE = frozenset({PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER})
_TITLES = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})
_DEFAULT_NAME = re.compile(r".*\d|", re.S)
_SHIFT = re.compile(r"-?\d{1,7}")
_COUNTED = frozenset({"slidenum", "datetime"})


class SlideReader:
    """Reads one slide.

    Args:
        slide: as python-pptx gives it.
        numbers: of all slides, by the names of their parts.
    """

    def __init__(self, slide: Any, numbers: dict[str, int]) -> None:
        self._slide = slide
        self._numbers = numbers
        titles = (one for one in slide.placeholders if one.placeholder_format.type in _TITLES and one.has_text_frame)
        self.title = next((normalise(one.text_frame.text.replace("\v", " ")) for one in titles), "")

    def read(self, into: Any) -> None:
        """Write what the slide shows into an element."""
        self._shapes(self._slide.shapes, into, 0)

    def notes(self) -> Any:
        """What its speaker is to say."""
        body = new("body")
        frame = self._slide.notes_slide.notes_text_frame if self._slide.has_notes_slide else None
        if frame is not None:
            self._text(frame._txBody, body)
        return body

    def comments(self) -> Iterator[str]:
        """What others wrote on it."""
        for relation in self._slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(("/comments", "/comment")):
                continue
            root = parse_xml(relation.target_part.blob)
            for comment in root if root is not None else ():
                words = normalise(" ".join(part.text or "" for part in comment.iter("{*}text", "{*}t")))
                if words:
                    yield f"Comment: {words}"

    def _shapes(self, shapes: Any, into: Any, depth: int) -> None:
        for shape in in_reading_order(list(shapes)) if depth <= MAX_DEPTH else ():
            if shape.is_placeholder and shape.placeholder_format.type in _FURNITURE | _TITLES:
                continue
            if hasattr(shape, "shapes"):
                self._shapes(shape.shapes, into, depth + 1)
            elif getattr(shape, "has_table", False):
                self._table(shape, child(into, "table"))
            elif getattr(shape, "has_chart", False):
                root = parse_xml(shape.chart.part.blob)
                table = chart_table(root, self._named(shape) or self.title) if root is not None else None
                into.extend([table_element(table)] if table is not None else [])
            else:
                self._text(shape._element.find("{*}txBody"), into, shape)
                self._drawn(shape, into)

    def _text(self, body: Any, into: Any, shape: Any = None) -> None:
        """The paragraphs of a text body as the lines of one text."""
        held = new("pre")
        clicks = shape._element.iterfind("./*/{*}cNvPr/{*}hlinkClick") if shape is not None else ()
        href = next(filter(None, map(self._href, clicks)), "")
        lines = child(held, "a", href=href) if href else held
        for paragraph in body.iter("{*}p") if body is not None else ():
            line = new("span")
            for part in paragraph:
                self._inline(part, line)
            if says(line):
                add_text(lines, "\n" if says(lines) else "")
                lines.append(line)
        if says(held):
            into.append(held)

    def _inline(self, part: Any, into: Any) -> None:
        kind = local(part)
        if kind == "r" or (kind == "fld" and (part.get("type") or "").rstrip("0123456789") not in _COUNTED):
            properties = part.find("{*}rPr")
            href = next(filter(None, map(self._href, part.iter("{*}hlinkClick"))), "")
            into = child(into, "a", href=href) if href else into
            baseline = (properties.get("baseline") or "").rstrip("%") if properties is not None else ""
            if _SHIFT.fullmatch(baseline) and int(baseline):  # raised and lowered text is of its own
                tag = "sub" if baseline.startswith("-") else "sup"
                last = into[-1] if len(into) else None
                into = last if last is not None and last.tag == tag and not last.tail else child(into, tag)
            add_text(into, re.sub(r"\s+", " ", "".join(run.text or "" for run in part.iterfind("{*}t"))))
        elif kind == "br":
            add_text(into, " ")
        elif kind in ("oMath", "oMathPara"):
            add_text(into, "" if "".join(into.itertext())[-1:].isspace() else " ")
            into.append(mathml(part))
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
        caption = self._named(shape) or self.title
        if caption:
            add_text(child(made, "caption"), caption)
        heads = 0
        for number, row in enumerate(shape.table.rows):
            line = child(made, "tr")
            cells = [cell for cell in row.cells if not cell.is_spanned]
            if shape.table.first_row and not number:  # a header reaches as far down as its cells
                heads = max((cell.span_height for cell in cells), default=1)
            for cell in cells:
                held = child(line, "th" if number < heads else "td")
                held.attrib.update({"colspan": str(cell.span_width), "rowspan": str(cell.span_height)})
                self._text(cell._tc.find("{*}txBody"), held)
                for text in held:
                    text.tag = "span"

    def _drawn(self, shape: Any, into: Any) -> None:
        """Pictures of the shape itself, as its filling, or as the preview of an embedded object; words of diagrams."""
        for blip in shape._element.iter("{*}blip"):
            relation = self._slide.part.rels.get(blip.get(f"{R}embed") or blip.get(f"{R}link") or "")
            if relation is not None:
                external = relation.is_external
                source = relation.target_ref if external else str(relation.target_part.partname).lstrip("/")
                child(child(into, "p"), "img", src=source, alt=_description(shape), title=self.title)
        for reference in shape._element.iter("{*}relIds"):
            relation = self._slide.part.rels.get(reference.get(f"{R}dm") or "")
            if relation is not None and not relation.is_external:
                self._text(parse_xml(relation.target_part.blob), into)

    def _named(self, shape: Any) -> str:
        """What the author calls a shape: its description, or a name that is no default one ("Table 3")."""
        name = normalise(shape.name or "")
        return _description(shape) or ("" if _DEFAULT_NAME.fullmatch(name) else name)


def _description(shape: Any) -> str:
    properties = next(iter(shape._element.iter("{*}cNvPr")), None)
    return normalise(properties.get("descr") or properties.get("title") or "") if properties is not None else ""
