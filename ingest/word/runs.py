"""The inline content of a paragraph: text, links, fields, bookmarks, notes, formulas, pictures, text boxes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.chart import chart_table
from backtrail.ingest.office.scripts import mark_scripts, open_script
from backtrail.ingest.word.elements import add_text, child, table_element
from backtrail.ingest.word.formulas import formula_text
from backtrail.ingest.word.names import R, W, is_on, local, value
from backtrail.ingest.word.package import Package

_THROUGH = frozenset({"ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo", "r", "Choice"})
_DELETED = frozenset({"del", "moveFrom"})
_HYPERLINK = re.compile(
    r"""HYPERLINK\s+(?:\\[nt]\s+)*(?:"([^"]*)"|(?!\\)(\S+))?(?:.{0,500}?\\l\s+"?([^"\s]+)"?)?""", re.S
)
_REFERENCE = re.compile(r"\s*(?:REF|NOTEREF)\s+(\S+)")
_SYMBOL_FONT = 0xF000
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_PLAIN = frozenset({"rPr", "t", "sym", "noBreakHyphen", "softHyphen", "lastRenderedPageBreak"})


@dataclass
class _Field:
    instruction: str = ""
    shown: bool = False
    link: Any = None


@dataclass
class InlineReader:
    """Writes the content of paragraphs into elements.

    ``boxes`` are contents of text boxes, ``tables`` those of charts: they come after the paragraph. ``captioned`` says
    whether the last paragraph counted a caption ("SEQ Figure").
    """

    package: Package
    boxes: list[Any] = field(default_factory=list)
    tables: list[Any] = field(default_factory=list)
    counted: str = ""
    deletions: int = 0
    _fields: list[_Field] = field(default_factory=list)
    _targets: list[Any] = field(default_factory=list)

    def read(self, paragraph: Any, into: Any) -> None:
        """Write a paragraph's content into an element."""
        self.counted = ""
        self._targets = [into]
        for part in paragraph:
            self._part(part)
        for opened in self._fields:
            opened.link = None
        mark_scripts(into)

    def _part(self, part: Any) -> None:
        kind = local(part)
        if kind == "r" and is_on(part.find(f"{W}rPr/{W}vanish")):
            return
        if kind == "r" and (script := _script(part)):
            self._targets.append(open_script(self._targets[-1], script))
            for inner in part:
                self._part(inner)
            self._targets.pop()
        elif kind in _THROUGH:
            for inner in part:
                self._part(inner)
        elif kind in _DELETED:
            self.deletions += 1
        elif kind == "AlternateContent":
            self._alternatives(part)
        elif kind in _READERS:
            _READERS[kind](self, part)

    def _alternatives(self, part: Any) -> None:
        """The first choice says the same as the fallback, which is for older programs."""
        inner = next((one for one in part if local(one) == "Choice"), None)
        inner = inner if inner is not None else next((one for one in part if local(one) == "Fallback"), None)
        for one in inner if inner is not None else ():
            self._part(one)

    def _text(self, text: str) -> None:
        if all(opened.shown for opened in self._fields):
            add_text(self._targets[-1], text)

    def _link(self, part: Any) -> None:
        relation = self.package.relations.get(part.get(f"{R}id") or "")
        anchor = value(part, "anchor")
        href = relation.target if relation else ""
        self._targets.append(child(self._targets[-1], "a", href=f"{href}#{anchor}" if anchor else href))
        for inner in part:
            self._part(inner)
        self._targets.pop()

    def _field_sign(self, part: Any) -> None:
        kind = value(part, "fldCharType")
        if kind == "begin" and len(self._fields) < 50:
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._open_field(self._fields[-1])
        elif kind == "end" and self._fields:
            closed = self._fields.pop()
            if closed.link is not None and self._targets[-1] is closed.link:
                self._targets.pop()

    def _open_field(self, opened: _Field) -> None:
        opened.shown = True
        href = field_target(opened.instruction)
        self._count(opened.instruction)
        if href and all(one.shown for one in self._fields):
            opened.link = child(self._targets[-1], "a", href=href)
            self._targets.append(opened.link)

    def _instruction(self, part: Any) -> None:
        if self._fields and not self._fields[-1].shown:
            self._fields[-1].instruction += part.text or ""

    def _simple_field(self, part: Any) -> None:
        instruction = value(part, "instr")
        self._count(instruction)
        href = field_target(instruction)
        if href:
            self._targets.append(child(self._targets[-1], "a", href=href))
        for inner in part:
            self._part(inner)
        if href:
            self._targets.pop()

    def _count(self, instruction: str) -> None:
        words = instruction.split()
        if len(words) > 1 and words[0].upper() == "SEQ":
            self.counted = words[1]

    def _bookmark(self, part: Any) -> None:
        name = value(part, "name")
        if name and name != "_GoBack":
            child(self._targets[-1], "span", id=name)

    def _note(self, part: Any) -> None:
        kind = local(part).removesuffix("Reference")
        number = self.package.note_number(kind, value(part, "id"))
        if number:
            add_text(child(self._targets[-1], "a", href=f"#{kind}-{number}"), f"[{number}]")

    def _formula(self, part: Any) -> None:
        self._text(f" {normalise(formula_text(part))} ")

    def _symbol(self, part: Any) -> None:
        code = value(part, "char")
        number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,6}", code) else 0
        # symbol fonts put their signs where nobody else can read them
        self._text(chr(number) if 32 <= number < _SYMBOL_FONT - 0x1800 else "")

    def _drawing(self, part: Any) -> None:
        """Everything a drawing, shape or embedded object shows."""
        alt = _description(part)
        for element in _without_fallbacks(part):
            kind = local(element)
            if kind in ("blip", "imagedata"):
                name = element.get(f"{R}embed") or element.get(f"{R}id") or element.get(f"{R}link") or ""
                relation = self.package.relations.get(name)
                if relation is not None:
                    child(self._targets[-1], "img", src=relation.target, alt=alt)
            elif kind == "chart" and element.get(f"{R}id"):
                self._chart(element.get(f"{R}id"), alt)
            elif kind == "relIds":
                self._diagram(element)
            elif kind == "txbxContent":
                self.boxes.append(element)

    def _chart(self, relation_id: str, title: str) -> None:
        relation = self.package.relations.get(relation_id)
        root = self.package.archive.tree(relation.target) if relation and not relation.is_external else None
        table = chart_table(root, title) if root is not None else None
        if table is not None:
            self.tables.append(table_element(table))

    def _diagram(self, element: Any) -> None:
        relation = self.package.relations.get(element.get(f"{R}dm") or "")
        root = self.package.archive.tree(relation.target) if relation and not relation.is_external else None
        words = (
            (normalise("".join(t.text or "" for t in p.iter("{*}t"))) for p in root.iter("{*}p"))
            if root is not None
            else ()
        )
        self._text(" " + "; ".join(word for word in words if word) + " ")


def _script(run: Any) -> str:
    """Whether a run of nothing but text is raised or lowered."""
    name = _SCRIPTS.get(value(run.find(f"{W}rPr/{W}vertAlign")), "")
    return name if name and all(local(part) in _PLAIN for part in run) else ""


def field_target(instruction: str) -> str:
    """Where a field's text leads: the address or bookmark of HYPERLINK, the bookmark of REF; else empty."""
    if instruction.strip().upper().startswith("HYPERLINK"):
        found = _HYPERLINK.search(instruction)
        address = (found.group(1) or found.group(2) or "") if found else ""
        place = (found.group(3) or "") if found else ""
        return f"{address}#{place}" if place else address
    found = _REFERENCE.match(instruction)
    return f"#{found.group(1)}" if found else ""


def _description(part: Any) -> str:
    """What the author wrote of a picture; names that Word gives are none."""
    for element in part.iter():
        if local(element) in ("docPr", "cNvPr"):
            words = normalise(element.get("descr") or element.get("title") or "")
            if words:
                return words
        elif local(element) == "shape" and element.get("alt"):
            return normalise(element.get("alt"))
    return ""


def _without_fallbacks(part: Any) -> Any:
    """The elements of a drawing, text boxes as a whole, fallbacks not at all."""
    pending = [part]
    while pending:
        element = pending.pop()
        yield element
        if local(element) == "txbxContent":
            continue
        inner = list(element)
        if local(element) == "AlternateContent" and any(local(one) == "Choice" for one in inner):
            inner = [one for one in inner if local(one) == "Choice"][:1]
        pending.extend(reversed(inner))


_READERS = {
    "t": lambda reader, part: reader._text(part.text or ""),
    "tab": lambda reader, part: reader._text(" "),
    "br": lambda reader, part: reader._text(" "),
    "cr": lambda reader, part: reader._text(" "),
    "noBreakHyphen": lambda reader, part: reader._text("-"),
    "softHyphen": lambda reader, part: None,
    "sym": InlineReader._symbol,
    "hyperlink": InlineReader._link,
    "fldChar": InlineReader._field_sign,
    "instrText": InlineReader._instruction,
    "fldSimple": InlineReader._simple_field,
    "bookmarkStart": InlineReader._bookmark,
    "footnoteReference": InlineReader._note,
    "endnoteReference": InlineReader._note,
    "oMath": InlineReader._formula,
    "oMathPara": InlineReader._formula,
    "drawing": InlineReader._drawing,
    "pict": InlineReader._drawing,
    "object": InlineReader._drawing,
}
