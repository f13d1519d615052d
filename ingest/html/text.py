"""Reading text out of elements: what breaks a line, and a buffer that keeps the links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.elements import BLOCKS, is_skipped
from backtrail.ingest.html.links import LinkTargets
from backtrail.state.component import Link

_INDENT = "\ue000"
"""A space that code in a list begins a line with."""
_SPACE = re.compile(rf"[\s\u200b\u2060\ufeff{_INDENT}]+")
_CODE_LINE = re.compile(r"\r?\n[ \t]*")
_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "\uf0c1", "↩", "↩︎", "⏎", "^", "↑"})
"""What pages put behind headings, terms and notes, as a link to themselves or back."""
_BREAK = "\n"
_TERM = ": "
_TERM_WITH_MARK = "\t"
"""The same behind a term that ends in a mark of its own; read as a space, and told from one."""
_MARKS = (":", "：", ";", "；", "?", "？", "؟", "!", "！", "…", "—", "–")


def walk_events(root: Any) -> Any:
    """Pairs ("start" or "end", element) without recursion; ``skip_subtree()`` leaves out what the last one holds."""
    return etree.iterwalk(root, events=("start", "end"))


def normalise(text: str) -> str:
    """Text with every run of white space as one space, no soft hyphens, and no space at the ends."""
    return _SPACE.sub(" ", text.replace("\u00ad", "")).strip()


def element_ids(element: Any) -> list[str]:
    """The names under which an element can be linked to: its id, and the name of an anchor."""
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
    """Collects the text, links, ids and pictures of consecutive inline content.

    ``preformatted``: all of it stays as it is written. ``in_code``: what comes now is code within a list or quote.
    """

    targets: LinkTargets
    preformatted: bool = False
    in_code: bool = False
    pieces: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    _open: list[_OpenLink] = field(default_factory=list)

    def add(self, text: str | None) -> None:
        """Text as it stands in the source."""
        if text and self.in_code:
            self.pieces.append(_CODE_LINE.sub(_indented, text))
        elif text:
            self.pieces.append(text if self.preformatted else _SPACE.sub(" ", text))

    def separate(self, tag: str = "") -> None:
        """A block starts or ends: what follows is another line. A ``dd`` follows its term, after a colon if this has no
        mark of its own.
        """
        while self.pieces and self.pieces[-1] == " ":  # between the end of one block and the start of the next
            self.pieces.pop()
        last = self.pieces[-1] if self.pieces else _BREAK
        if tag == "dd" and last == _BREAK and len(self.pieces) > 1:
            self.pieces[-1] = _TERM_WITH_MARK if self._ends_in_mark() else _TERM
        elif last not in (_BREAK, _TERM, _TERM_WITH_MARK):
            self.pieces.append(_BREAK)

    def _ends_in_mark(self) -> bool:
        """Whether the term before does; one that is nothing but signs means them."""
        start = next((at for at in range(len(self.pieces) - 1, 0, -1) if self.pieces[at - 1] == _BREAK), 0)
        term = "".join(self.pieces[start:]).rstrip()
        return term.endswith(_MARKS) and any(map(str.isalnum, term))

    def open(self, element: Any) -> None:
        """An inline element starts."""
        self.ids.extend(element_ids(element))
        if element.tag == "br":
            self.pieces.append(_BREAK if self.preformatted or self.in_code else " ")
        elif element.tag == "a" and element.get("href") is not None:
            self._open.append(_OpenLink(element, element.get("href"), len(self.pieces)))

    def close(self, element: Any) -> None:
        """An inline element ends."""
        if self._open and self._open[-1].element is element:
            self._record(self._open.pop())

    def picture_links(self, anchor: str) -> list[Link]:
        """The links that enclose a picture at this point; they need no text to count."""
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
        """What was collected, one line per block."""
        if self.preformatted:
            lines = "".join(self.pieces).expandtabs(4).replace("\r\n", "\n").split("\n")
            return "\n".join(line.rstrip() for line in lines).strip("\n")
        lines = (_line(line) for line in "".join(self.pieces).split(_BREAK))
        return "\n".join(line for line in lines if line)

    @property
    def length(self) -> int:
        """Letters that were collected, about."""
        return sum(map(len, self.pieces))

    def has_text(self) -> bool:
        """Whether anything but white space was collected."""
        return any(piece.strip() for piece in self.pieces)

    def take(self) -> tuple[str, list[Link], list[str]]:
        """Text, links and ids so far; the buffer is empty afterwards, links that are still open stay open."""
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
    """One line, and how far in it stands if it is one of code."""
    said = normalise(text)
    return " " * (len(text) - len(text.lstrip(_INDENT))) + said if said else ""


@dataclass(frozen=True)
class Inline:
    """The content of a cell or caption: one line of text, and what it holds besides."""

    text: str
    links: list[Link]
    ids: list[str]
    images: list[Any]
    tables: list[Any]


def read_inline(root: Any, targets: LinkTargets) -> Inline:
    """Read an element as one line; nested tables are set aside, and pictures stand for their alternative text."""
    if not len(root):  # most cells
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
