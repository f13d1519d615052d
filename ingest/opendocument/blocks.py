"""The walk over a text's blocks: paragraphs, headings, lists, tables and frames become elements of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.rewrites.mathml import mathml_text
from backtrail.ingest.office.scripts import mark_scripts
from backtrail.ingest.opendocument.inline import Inline, is_picture, picture
from backtrail.ingest.opendocument.names import DRAW, TABLE, TEXT, XLINK, count
from backtrail.ingest.opendocument.styles import Styles
from backtrail.ingest.opendocument.tables import Repeats, table_element
from backtrail.ingest.word.body import CAPTION
from backtrail.ingest.word.elements import add_text, child, new, says

MAX_DEPTH = 20
"""How deep lists, tables, frames and sections may stand in each other; ours."""

_HEADING_CHARACTERS = 120
_INDEXES = frozenset(
    f"{TEXT}{name}"
    for name in ("table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index",
                 "user-index", "tracked-changes", "sequence-decls", "user-field-decls", "variable-decls")
)  # fmt: skip
_THROUGH = frozenset(f"{TEXT}{name}" for name in ("section", "bibliography", "index-body", "numbered-paragraph"))


class BlockReader:
    """Turns block content into elements of a page.

    Args:
        archive: the document, whose embedded charts and formulas are looked into.
        styles: of its paragraphs and lists.
        styled: whether its headings are marked; where none is, short bold paragraphs are taken for headings.
    """

    def __init__(self, archive: Archive, styles: Styles, *, styled: bool = True) -> None:
        self.inline = Inline(styles)
        self.title = ""
        self.notes: list[str] = []
        self._archive = archive
        self._styles = styles
        self._styled = styled
        self._depth = 0
        self._repeats = Repeats()

    def read(self, blocks: Any, into: Any) -> None:
        """Write block content into an element."""
        if self._depth >= MAX_DEPTH:
            self.notes.append(f"what is nested more than {MAX_DEPTH} levels deep was not read")
            return
        self._depth += 1
        for block in blocks:
            self._block(block, into)
        self._depth -= 1

    def _block(self, block: Any, into: Any) -> None:
        tag = block.tag
        if tag in (f"{TEXT}p", f"{TEXT}h"):
            self._paragraph(block, into)
        elif tag == f"{TEXT}list":
            self._list(block, into, numbered=into.tag == "ol")
        elif tag == f"{TABLE}table":
            into.append(table_element(block, self.read, self._is_bold, self._repeats))
        elif tag in _THROUGH:
            self.read(block, into)
        elif tag.startswith(DRAW):
            self.shape(block, into)
        elif tag not in _INDEXES and len(block):
            self.read([part for part in block if part.tag.startswith((TEXT, TABLE, DRAW))], into)

    def _paragraph(self, paragraph: Any, into: Any) -> None:
        style = paragraph.get(f"{TEXT}style-name") or ""
        element = new("p")
        self.inline.read(paragraph, element)
        mark_scripts(element)
        words = says(element)
        is_heading = paragraph.tag == f"{TEXT}h"
        level = count(paragraph, f"{TEXT}outline-level", 6) if is_heading else self._styles.heading(style)
        if words and self._styles.is_title(style) and not self.title:
            self.title = words
            element.tag = "h1"
        elif words and level and into.tag not in ("li", "td"):
            element.tag = f"h{min(level, 6)}"
        elif into.tag not in ("li", "td") and self._is_set(paragraph, self._styles.is_code):
            element = _line_of_code(element, into)
        elif self._styles.is_caption(style):
            element.set(CAPTION, "caption")
        elif into.tag == "body" and not self._styled and self._looks_like_heading(paragraph, words):
            element.tag = "h2"
        if element is not None:
            into.append(element)
        shapes, self.inline.shapes = self.inline.shapes, []
        self.read(shapes, into)

    def _looks_like_heading(self, paragraph: Any, words: str) -> bool:
        """A short bold line of its own."""
        if not 0 < len(words) <= _HEADING_CHARACTERS or words[-1] in ".,;:!?":
            return False
        return any(map(str.isalpha, words)) and self._is_bold(paragraph)

    def _list(self, block: Any, into: Any, *, numbered: bool) -> None:
        style = block.get(f"{TEXT}style-name")
        counted = self._styles.is_numbered(style) if style else numbered
        list_ = child(into, "ol" if counted else "ul")
        for item in block:
            if item.tag in (f"{TEXT}list-item", f"{TEXT}list-header"):
                held = child(list_, "li")
                self.read(item, held)
                if len(held) and held[0].tag == "p":
                    held[0].tag = "span"
        headings = list(block.iter(f"{TEXT}h"))
        if headings and len(headings) == len(list(block.iter(f"{TEXT}p", f"{TEXT}h"))):
            into.remove(list_)  # headings are counted as the items of a list
            for heading in headings:
                self._paragraph(heading, into)

    def shape(self, shape: Any, into: Any) -> None:
        """A frame, or a shape with words in it."""
        if shape.tag == f"{DRAW}frame" and is_picture(shape):
            picture(shape, child(into, "p"))
            return
        for part in shape:
            if part.tag in (f"{DRAW}text-box", f"{DRAW}frame", f"{DRAW}g") or part.tag.startswith(DRAW + "custom"):
                self.read(part if part.tag == f"{DRAW}text-box" else [part], into)
            elif part.tag == f"{DRAW}object":
                self._object(part, into)
            elif part.tag.startswith((TEXT, TABLE)):
                self.read([part], into)

    def _object(self, part: Any, into: Any) -> None:
        """The numbers of an embedded chart or spreadsheet, or a formula."""
        root = self._archive.tree(f"{(part.get(f'{XLINK}href') or '').removeprefix('./')}/content.xml")
        if root is None:
            return
        if root.tag.endswith("}math"):
            add_text(child(into, "p"), mathml_text(root))
            return
        title = " ".join(
            "".join(one.itertext()) for one in root.iter("{*}title") if one.tag.endswith("chart:1.0}title")
        )
        for table in root.iter(f"{TABLE}table"):
            made = table_element(table, self.read, self._is_bold, self._repeats)
            if title:
                made.insert(0, new("caption"))
                add_text(made[0], " ".join(title.split()))
            into.append(made)

    def _is_bold(self, paragraph: Any) -> bool:
        return self._is_set(paragraph, self._styles.is_bold)

    def _is_set(self, paragraph: Any, way: Callable[[str], bool]) -> bool:
        """Whether all of a paragraph is set in a way, by its style or those of all its spans."""
        if way(paragraph.get(f"{TEXT}style-name") or ""):
            return True
        spans = paragraph.findall(f"{TEXT}span")
        loose = (paragraph.text or "") + "".join(part.tail or "" for part in paragraph)
        said = [span for span in spans if says(span)]
        return bool(said) and not loose.strip() and all(way(span.get(f"{TEXT}style-name") or "") for span in said)


def _line_of_code(element: Any, into: Any) -> Any | None:
    """A line after other lines goes with them, else it opens a block; None if it went with them."""
    last = into[-1] if len(into) else None
    if last is None or last.tag != "pre":
        element.tag = "pre"
        return element
    add_text(last, "\n" + (element.text or ""))
    for part in list(element):
        last.append(part)
    return None
