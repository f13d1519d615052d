"""Extract text from elements, with line breaks and links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.elements import BLOCKS, is_skipped
from backtrail.ingest.html.links import LinkTargets
from backtrail.state.component import Link

_INDENT = "\ue000"
"""Placeholder of indentation of code in a list."""
_SPACE = re.compile(rf"[\s\u200b\u2060\ufeff{_INDENT}]+")
_CODE_LINE = re.compile(r"\r?\n[ \t]*")
_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "\uf0c1", "↩", "↩︎", "⏎", "^", "↑"})
"""Anchors of links from headings, terms and notes to themselves or back; 40 of 200 pages of documentation have some."""
_BREAK = "\n"
_TERM = ": "
_TERM_WITH_MARK = "\t"
"""The same after a term that ends in a punctuation mark; becomes a space. "::" otherwise, on 24 of 200 pages."""
_MARKS = (":", "：", ";", "；", "?", "？", "؟", "!", "！", "…", "—", "–")


def walk_events(root: Any) -> Any:
    """Iterate over ("start" or "end", element); ``skip_subtree()`` skips the last one's contents."""
    return etree.iterwalk(root, events=("start", "end"))


def normalise(text: str) -> str:
    """Collapse white space, remove soft hyphens, and strip."""
    return _SPACE.sub(" ", text.replace("\u00ad", "")).strip()


def element_ids(element: Any) -> list[str]:
    """Return the link targets of an element: its id, and an anchor's name."""
    if not element.attrib:
        return []
    names = (element.get("id"), element.get("name") if element.tag == "a" else None)
    return [name.strip() for name in names if name and name.strip()]


@dataclass
class _OpenLink:
    element: Any
    href: str
    start: int
    used: bool = False


@dataclass
class TextBuffer:
    """Buffer of the text, links and ids of consecutive inline content.

    ``preformatted``: white space is kept. ``in_code``: current text is code within a list or quote.
    """

    targets: LinkTargets
    preformatted: bool = False
    in_code: bool = False
    pieces: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    _open: list[_OpenLink] = field(default_factory=list)

    def add(self, text: str | None) -> None:
        """Add text of the source."""
        if text and self.in_code:
            self.pieces.append(_CODE_LINE.sub(_indented, text))
        elif text:
            self.pieces.append(text if self.preformatted else _SPACE.sub(" ", text))

    def separate(self, tag: str = "") -> None:
        """Start a new line between blocks; a ``dd`` continues its term's line, usually after a colon."""
        while self.pieces and self.pieces[-1] == " ":  # between the end of one block and the start of the next
            self.pieces.pop()
        last = self.pieces[-1] if self.pieces else _BREAK
        if tag == "dd" and last == _BREAK and len(self.pieces) > 1:
            self.pieces[-1] = _TERM_WITH_MARK if self._ends_in_mark() else _TERM
        elif last not in (_BREAK, _TERM, _TERM_WITH_MARK):
            self.pieces.append(_BREAK)

    def _ends_in_mark(self) -> bool:
        """Return whether the last term ends in a punctuation mark and is not only signs."""
        start = next((at for at in range(len(self.pieces) - 1, 0, -1) if self.pieces[at - 1] == _BREAK), 0)
        term = "".join(self.pieces[start:]).rstrip()
        return term.endswith(_MARKS) and any(map(str.isalnum, term))

    def open(self, element: Any) -> None:
        """Start an inline element."""
        self.ids.extend(element_ids(element))
        if element.tag == "br":
            self.pieces.append(_BREAK if self.preformatted or self.in_code else " ")
        elif element.tag == "a" and element.get("href") is not None:
            self._open.append(_OpenLink(element, element.get("href"), len(self.pieces)))

    def close(self, element: Any) -> None:
        """End an inline element."""
        if self._open and self._open[-1].element is element:
            self._record(self._open.pop())

    def picture_links(self, anchor: str) -> list[Link]:
        """Return the links around a picture at this point, which need no text."""
        found: list[Link] = []
        for opened in self._open:
            opened.used = True
            link = self.targets.link(opened.href, anchor)
            found.extend([link] if link else [])
        return found

    def _record(self, opened: _OpenLink) -> None:
        anchor = normalise("".join(self.pieces[opened.start :]))
        if (anchor in _PERMALINKS or (not anchor and not opened.used)) and opened.href.startswith("#"):
            del self.pieces[opened.start :]
            return
        link = self.targets.link(opened.href, anchor) if anchor or not opened.used else None
        if link:
            self.links.append(link)

    def text(self) -> str:
        """Return the collected text, one line per block."""
        if self.preformatted:
            lines = "".join(self.pieces).expandtabs(4).replace("\r\n", "\n").split("\n")
            return "\n".join(line.rstrip() for line in lines).strip("\n")
        lines = (_line(line) for line in "".join(self.pieces).split(_BREAK))
        return "\n".join(line for line in lines if line)

    @property
    def length(self) -> int:
        """Approximate number of collected letters."""
        return sum(map(len, self.pieces))

    def has_text(self) -> bool:
        """Return whether anything but white space was collected."""
        return any(piece.strip() for piece in self.pieces)

    def take(self) -> tuple[str, list[Link], list[str]]:
        """Return text, links and ids and empty the buffer; open links stay open."""
        for opened in self._open:
            if normalise("".join(self.pieces[opened.start :])):
                self._record(opened)
                opened.used = True
            opened.start = 0
        taken = self.text(), self.links, self.ids
        self.pieces, self.links, self.ids = [], [], []
        return taken


def _indented(line: re.Match[str]) -> str:
    return _BREAK + _INDENT * len(line[0].lstrip("\r\n").expandtabs(4))


def _line(text: str) -> str:
    """Normalise a line and restore the indentation of code."""
    line = normalise(text)
    return " " * (len(text) - len(text.lstrip(_INDENT))) + line if line else ""


@dataclass(frozen=True)
class Inline:
    """Content of a cell or caption: one line of text with links, ids, pictures and tables."""

    text: str
    links: list[Link]
    ids: list[str]
    images: list[Any]
    tables: list[Any]


def read_inline(root: Any, targets: LinkTargets) -> Inline:
    """Read an element as one line, or its pictures' alternative texts; nested tables are separate."""
    if not len(root):  # fast path of most cells
        return Inline(normalise(root.text or ""), [], element_ids(root), [], [])
    buffer = TextBuffer(targets)
    images: list[Any] = []
    tables: list[Any] = []
    walker = walk_events(root)
    for event, element in walker:
        if event == "end":
            buffer.close(element)
            buffer.add(" " if element.tag in BLOCKS else None)
            buffer.add(element.tail if element is not root else None)
            continue
        if element is not root and (element.tag == "table" or is_skipped(element)):
            tables.extend([element] if element.tag == "table" and not is_skipped(element) else [])
            walker.skip_subtree()
            continue
        buffer.add(" " if element.tag in BLOCKS else None)
        buffer.open(element)
        if element.tag == "img":
            images.append(element)
        buffer.add(element.text)
    text, links, ids = buffer.take()
    alternatives = [normalise(image.get("alt", "")) for image in images]
    if not text:
        text = normalise(" ".join(alternatives))
        links = [link.model_copy(update={"anchor": link.anchor or text}) for link in links]
    return Inline(text, links, ids, images, tables)
