"""Conversion of a Word body to HTML elements: paragraphs, headings, lists, tables and inline content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.grid import MAX_COLUMNS
from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_element
from backtrail.ingest.office.elements import add_text, child, formula_text, new, says, styled, unwrap_only_paragraph
from backtrail.ingest.office.names import R, W, is_on, local, number_of, value
from backtrail.ingest.office.page import TextReader, is_bold_line
from backtrail.ingest.office.relations import Relation, read_relations
from backtrail.ingest.word.styles import Numbering, Style, Styles, numbering_of, outline_level

_THROUGH = frozenset({
    "sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "dir", "bdo", "Choice",
})  # fmt: skip
_NOT_READ = {"altChunk": "a part in another format", "subDoc": "a separate document that is only linked"}
_HYPERLINK = re.compile(
    r"""\s*HYPERLINK\s+(?:\\[nt]\s+)*(?:"([^"]*)"|(?!\\)(\S+))?(?:.{0,500}?\\l\s+"?([^"\s]+)"?)?""", re.S | re.I
)
_REFERENCE = re.compile(r"\s*(?:REF|NOTEREF)\s+(\S+)")
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_MOST_FIELDS = 50


@dataclass
class _Field:
    """An open field: its instruction, whether its shown text has begun, and the link that takes it."""

    instruction: str = ""
    shown: bool = False
    link: Any = None


class BodyReader(TextReader):
    """Converter of block content to HTML elements.

    Args:
        archive: the document.
        main: the part with its text.
        parts: the roots of other parts by kind ("styles", "numbering").

    ``relations`` are those of the current part.
    """

    def __init__(self, archive: Archive, main: str, body: Any, parts: dict[str, Any]) -> None:
        super().__init__(archive)
        self.relations: dict[str, Relation] = read_relations(archive, main)
        self._styles = Styles(parts.get("styles"))
        self._numbering = Numbering(parts.get("numbering"))
        self._styled = any(self._styles.of(one).level or outline_level(one) for one in body.iter(f"{W}p"))
        self._fields: list[_Field] = []

    def _block(self, block: Any, into: Any) -> None:
        kind = local(block)
        if kind == "p":
            self._paragraph(block, into)
        elif kind == "tbl":
            self._table(block, child(into, "table"))
        elif kind in _THROUGH:
            self.read(block, into)
        elif kind in _NOT_READ:
            self.notes.append(f"{_NOT_READ[kind]} was not read")

    def read_inline(self, paragraph: Any, into: Any) -> None:
        """Write the content of a paragraph into an element."""
        for part in paragraph:
            self._inline(part, into)
        for opened in self._fields:
            opened.link = None

    def _paragraph(self, paragraph: Any, into: Any) -> None:
        style = self._styles.of(paragraph)
        if style.is_contents:
            return
        element = new("p")
        self.read_inline(paragraph, element)
        words = says(element)
        level = outline_level(paragraph) or style.level
        label = self._label(paragraph, style) if words else None
        if style.name == "title" and words and not self.title:
            self.title = words
            element.tag = "h1"
        elif words and (level or self._looks_like_heading(paragraph, element, into)):
            element.tag = f"h{min(level or 2, 6)}"
            element.text = f"{label} {element.text or ''}" if label else element.text
        elif words and label is not None:
            list_ = into[-1] if len(into) and into[-1].tag == "ul" else child(into, "ul")
            into, element.tag = list_, "li"
            element.text = f"{label} {element.text or ''}" if label else element.text
        into.append(element)
        floating, self._floating = self._floating, []
        into = into.getparent() if into.tag == "ul" else into
        for one in floating:  # charts, and the contents of text boxes
            if one.tag == "table":
                into.append(one)
            else:
                self.read(one, into)

    def _label(self, paragraph: Any, style: Style) -> str | None:
        own = numbering_of(paragraph)
        list_, level = own or style.numbering or ("0", 0)
        if style.numbering and not own and style.level:
            level = style.level - 1
        return self._numbering.next_label(list_, level) if list_ != "0" else None

    def _looks_like_heading(self, paragraph: Any, element: Any, into: Any) -> bool:
        """Return whether a short bold line in the body is a heading, where no heading styles are used."""
        if self._styled or into.tag != "body" or numbering_of(paragraph) is not None:
            return False
        return is_bold_line(element)

    def _table(self, table: Any, made: Any) -> None:
        open_cells: dict[int, Any] = {}
        heads = 0
        for number, row in enumerate(_inner(table, "tr")):
            is_head = heads == number and is_on(row.find(f"{W}trPr/{W}tblHeader"))
            heads += is_head
            line = child(made, "tr")
            column = number_of(value(row.find(f"{W}trPr/{W}gridBefore")), MAX_COLUMNS)
            for cell in _inner(row, "tc"):
                columns = number_of(value(cell.find(f"{W}tcPr/{W}gridSpan")), MAX_COLUMNS) or 1
                merge = cell.find(f"{W}tcPr/{W}vMerge")
                above = open_cells.get(column)
                if merge is not None and value(merge) != "restart" and above is not None:
                    above.set("rowspan", str(int(above.get("rowspan", "1")) + 1))
                else:
                    element = child(line, "th" if is_head else "td", colspan=str(columns) if columns > 1 else "")
                    self.read(cell, element)
                    unwrap_only_paragraph(element)
                    open_cells[column] = element if merge is not None else None
                column = min(column + columns, MAX_COLUMNS)

    def _inline(self, part: Any, into: Any) -> None:
        if self._fields and self._fields[-1].link is not None:
            into = self._fields[-1].link
        match local(part):
            case "r":
                self._run(part, into)
            case "t":
                self._text(part.text or "", into)
            case "tab" | "br" | "cr":
                self._text(" ", into)
            case "noBreakHyphen":
                self._text("-", into)
            case "hyperlink":
                relation = self.relations.get(part.get(f"{R}id") or "")
                anchor = value(part, "anchor")
                href = (relation.target if relation else "") + (f"#{anchor}" if anchor else "")
                self._all(part, child(into, "a", href=href))
            case "fldChar":
                self._field_sign(value(part, "fldCharType"), into)
            case "instrText" if self._fields and not self._fields[-1].shown:
                self._fields[-1].instruction += part.text or ""
            case "fldSimple":
                href = field_target(value(part, "instr"))
                self._all(part, child(into, "a", href=href) if href else into)
            case "bookmarkStart" if value(part, "name") not in ("", "_GoBack"):
                child(into, "span", id=value(part, "name"))
            case "footnoteReference" | "endnoteReference" as kind:
                self._call(kind.removesuffix("Reference"), value(part, "id"), into)
            case "oMath" | "oMathPara":
                self._text(formula_text(part), into)
            case "drawing" | "pict" | "object":
                self._drawing(part, into)
            case "del" | "moveFrom":
                self.deletions += 1
            case "AlternateContent":
                # the fallback repeats the first choice for older programs
                self._all(part[0] if len(part) else part, into)
            case kind if kind in _THROUGH:
                self._all(part, into)

    def _all(self, part: Any, into: Any) -> None:
        for inner in part:
            self._inline(inner, into)

    def _run(self, run: Any, into: Any) -> None:
        properties = run.find(f"{W}rPr")
        if properties is not None and is_on(properties.find(f"{W}vanish")):
            return
        if properties is not None and run.find(f"{W}t") is not None:
            script = _SCRIPTS.get(value(properties.find(f"{W}vertAlign")), "")
            tag = script or ("b" if is_on(properties.find(f"{W}b")) else "")
            into = styled(into, tag)
        self._all(run, into)

    def _text(self, text: str, into: Any) -> None:
        if all(opened.shown for opened in self._fields):
            add_text(into, text)

    def _field_sign(self, kind: str, into: Any) -> None:
        if kind == "begin" and len(self._fields) < _MOST_FIELDS:
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            opened = self._fields[-1]
            opened.shown = True
            href = field_target(opened.instruction)
            if href and all(one.shown for one in self._fields):
                opened.link = child(into, "a", href=href)
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _drawing(self, part: Any, into: Any) -> None:
        """Add the pictures, charts and text boxes of a drawing, shape or embedded object."""
        alt = _description(part)
        for element in _shown(part):
            kind = local(element)
            if kind in ("blip", "imagedata"):
                name = element.get(f"{R}embed") or element.get(f"{R}id") or element.get(f"{R}link") or ""
                if name in self.relations:
                    child(into, "img", src=self.relations[name].target, alt=alt)
            elif kind == "chart":
                table = chart_element(self._tree(element.get(f"{R}id") or ""), alt)
                self._floating += [table] if table is not None else []
            elif kind == "txbxContent":
                self._floating.append(element)

    def _tree(self, relation_id: str) -> Any | None:
        relation = self.relations.get(relation_id)
        return self._archive.tree(relation.target) if relation and not relation.is_external else None


def _inner(element: Any, name: str) -> Iterator[Any]:
    """Yield rows or cells of a table, also in content controls, without those of nested tables."""
    for part in element:
        if local(part) == name:
            yield part
        elif local(part) in _THROUGH:
            yield from _inner(part, name)


def field_target(instruction: str) -> str:
    """Return a field's link target: address or bookmark of HYPERLINK, bookmark of REF; else ""."""
    if found := _HYPERLINK.match(instruction):
        place = found.group(3) or ""
        return (found.group(1) or found.group(2) or "") + (f"#{place}" if place else "")
    found = _REFERENCE.match(instruction)
    return f"#{found.group(1)}" if found else ""


def _description(part: Any) -> str:
    """Return the author's description of a picture, not the name that Word generates."""
    named = part.iter("{*}docPr", "{*}cNvPr", "{*}shape")
    texts = (normalise(one.get("descr") or one.get("title") or one.get("alt") or "") for one in named)
    return next(filter(None, texts), "")


def _shown(part: Any) -> Iterator[Any]:
    """Yield the elements of a drawing, without the inside of text boxes and without fallbacks."""
    pending = [part]
    while pending:
        element = pending.pop()
        yield element
        if local(element) == "AlternateContent":
            pending.extend(element[:1])
        elif local(element) != "txbxContent":
            pending.extend(reversed(element))
