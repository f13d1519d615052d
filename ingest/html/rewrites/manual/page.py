"""Rewrite a manual page in one ``<pre>``, as man2html writes it, to headings, entries and paragraphs.

Headings are at the margin, in capitals or bold; subheadings are slightly indented on their own line. An option has the
indentation of its section's text, and its description is indented further.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.rewrites.manual.lines import Line, read_lines

_FEWEST_HEADINGS = 3
_MOST_HEADING = 80
_INDENTED = 0.9  # minimum share of indented lines among others than headings
_FULL = 0.6  # share of the page's width; a shorter line ends a paragraph
_LONGEST_TERM = 0.8  # share of the page's width; a longer term continues on the next line
_INLINE = frozenset(
    {"a", "b", "i", "u", "em", "strong", "span", "code", "tt", "font", "br", "var", "kbd", "samp", "cite"}
)
_RUNNING = re.compile(r"\S+\(\w+\)(?:\s{3,}.*)?\s{3,}\S+(?:\(\w+\))?|\S.*\s{5,}\S.*\s{5,}\S+\(\w+\)")
_GAP = re.compile(r"(?<=\S)\s+(?=\S)")
_BULLET = re.compile(r"(?:[o*+·•∙○–-]|\(?\w{1,2}[.)])\s+")
_BROKEN = re.compile(r"(?<!\w)(\w{2,})-$")


def read_manual(listing: Any) -> bool:
    """Rewrite a ``<pre>``; return False if it is no manual page. In a section of a page it is a listing."""
    if any(part.tag not in _INLINE for part in listing.iterdescendants(etree.Element)):
        return False
    lines = read_lines(listing)
    headings = {number for number in range(len(lines)) if _is_heading(lines, number)}
    others = [line for number, line in enumerate(lines) if line.text and number not in headings]
    others = [line for line in others if not _is_running(line)]
    if len(headings) < _FEWEST_HEADINGS or sum(line.indent > 0 for line in others) < _INDENTED * len(others):
        return False
    if next(listing.iterancestors("body"), listing.getroottree().getroot()).find(".//h2") is not None:
        return False
    width = max(line.indent + len(line.text) for line in others)
    words = Counter(re.findall(r"\w+", " ".join(line.text for line in lines).lower()))
    page = _Page(Counter(line.indent for line in others if line.indent > 0), width, words)
    running = {word for line in lines if _is_running(line) for word in line.text.split()}
    for number, line in enumerate(lines):
        if number in headings:
            page.heading("h2", line)
        elif line.text and not _is_running(line) and line.text not in running:
            page.block.append(line)
        elif page.block:
            page.close()
    page.close()
    page.root.tail = listing.tail
    if listing.get("id"):
        page.root.set("id", listing.get("id"))
    listing.getparent().replace(listing, page.root)
    return True


def _is_heading(lines: Sequence[Line], number: int) -> bool:
    """Return whether a line is a heading: short, at the margin, bold or capitals, before indented text."""
    line = lines[number]
    if line.indent or not 1 < len(line.text) <= _MOST_HEADING or (number and lines[number - 1].text):
        return False
    if not any(map(str.isalpha, line.text)) or _is_running(line):
        return False
    below = next((one for one in lines[number + 1 : number + 4] if one.text), None)
    return below is not None and below.indent > 0 and (line.bold or line.text == line.text.upper() != line.text.lower())


def _is_running(line: Line) -> bool:
    """Return whether a line is the head or foot of a printed page: "LS(1)   User Commands   LS(1)"."""
    return line.indent == 0 and _RUNNING.fullmatch(line.text) is not None


class _Page:
    """Builder of the page, block by block; ``_base`` is the indentation of its sections' text."""

    def __init__(self, indents: Counter[int], width: int, words: Counter[str]) -> None:
        self.root = etree.Element("div")
        self.block: list[Line] = []
        most = max(indents.values())
        self._base = min(indent for indent, count in indents.items() if 4 * count >= most)
        self._width, self._words = width, words
        self._entry: Any = None  # description of the last option
        self._said_at = 0

    def heading(self, tag: str, line: Line) -> None:
        self.close()
        self._entry = None
        _put(etree.SubElement(self.root, tag), line)

    def close(self) -> None:
        """Convert the current block of lines."""
        block, self.block = self.block, []
        if not block:
            return
        first = block[0]
        if 0 < first.indent < self._base and first.bold and all(line.indent >= self._base for line in block[1:]):
            self.heading("h3", first)
            self.block = block[1:]
            self.close()
        elif self._entry is not None and min(line.indent for line in block) >= self._said_at:
            self._say(block)
        elif (first.indent == self._base or _is_option(first)) and self._is_entries(block):
            self._entries(block)
        else:
            self._entry = None
            prose = len(block) > 1 and all(self._is_full(line) for line in block[:-1])
            if min(line.indent for line in block) > self._base and not prose:
                _listing(self.root, block)
            else:
                self._paragraphs(etree.SubElement(self.root, "blockquote"), block)

    def _is_full(self, line: Line) -> bool:
        return line.indent + len(line.text) >= _FULL * self._width

    def _is_entries(self, block: Sequence[Line]) -> bool:
        """Return whether a block consists of terms with descriptions, indented below or on the same line."""
        deeper = {line.indent for line in block if line.indent > block[0].indent}
        if deeper and min(line.indent for line in block) == block[0].indent:
            long = block[0].indent + len(block[0].text) > _LONGEST_TERM * self._width
            if (long or block[0].text.count("[") > 1) and not _second_column(block[0], min(deeper)):
                return False  # a continued line, as in a synopsis
            return len(block) - 1 == sum(line.indent >= min(deeper) for line in block[1:]) or _is_option(block[0])
        return not deeper and all(_is_option(line) for line in block)

    def _entries(self, block: Sequence[Line]) -> None:
        start = block[0].indent
        said_at = min((line.indent for line in block if line.indent > start), default=0)
        terms = [number for number, line in enumerate(block) if line.indent <= start]
        for begin, end in pairwise([*terms, len(block)]):
            term = block[begin]
            column = _second_column(term, said_at)
            listed = etree.SubElement(self.root, "dl")
            if not (column and _BULLET.fullmatch(term.text[:column])):
                _put(etree.SubElement(listed, "dt"), term.cut(0, len(term.text[: column or None].rstrip())))
            self._entry = etree.SubElement(listed, "dd")
            self._said_at = said_at or (term.indent + column if column else term.indent + 2)
            self._say([term.cut(column)] * bool(column) + list(block[begin + 1 : end]))

    def _say(self, block: Sequence[Line]) -> None:
        """Add paragraphs to the last entry; a bullet or smaller indentation starts a new paragraph."""
        run: list[Line] = []
        for line in block:
            if run and (_BULLET.match(line.text) or line.indent < run[-1].indent):
                self._paragraphs(self._entry, run)
                run = []
            run.append(line)
        self._paragraphs(self._entry, run)

    def _paragraphs(self, element: Any, block: Sequence[Line]) -> None:
        """Add lines as paragraphs; a short line ends one."""
        run: list[Line] = []
        for line in block:
            run.append(line)
            if line is block[-1] or not self._is_full(line):
                _paragraph(etree.SubElement(element, "p"), run, self._words)
                run = []


def _is_option(line: Line) -> bool:
    """Return whether a line starts with an option or bold word followed by a gap."""
    return bool(_second_column(line, 0)) and (
        line.text[0] in "-+/" or line.pieces[0].bold or bool(_BULLET.match(line.text))
    )


def _second_column(line: Line, said_at: int) -> int:
    """Return the position of the description in a term's line; 0 if there is none."""
    for gap in _GAP.finditer(line.text):
        if line.indent + gap.end() == said_at and (len(gap[0]) > 1 or line.text[0] in "-+/"):
            return gap.end()
        if not said_at and len(gap[0]) > 2:
            return gap.end()
    return 0


def _paragraph(element: Any, block: Sequence[Line], words: Counter[str]) -> None:
    """Join lines to a paragraph, and words that were hyphenated at line ends."""
    for line, following in pairwise([*block, Line()]):
        broken = _BROKEN.search(line.text)
        begin = re.match(r"[a-z]\w*", following.text)
        if broken and begin:
            whole = words[(broken[1] + begin[0]).lower()] or not words[begin[0].lower()] - 1
            _put(element, line.cut(0, len(line.text) - 1) if whole else line)
        else:
            _put(element, line, " " if following.text else "")


def _listing(root: Any, block: Sequence[Line]) -> None:
    """Add indented lines as a listing."""
    listed = etree.SubElement(root, "pre")
    margin = min(line.indent for line in block)
    for number, line in enumerate(block):
        _add(listed, "\n" * (number > 0) + " " * (line.indent - margin))
        _put(listed, line)


def _put(element: Any, line: Line, behind: str = "") -> None:
    """Add the text of a line to an element, with links and names."""
    last = None
    for piece in line.pieces:
        if piece.anchor is None:
            _add(element, piece.text)
        elif last is not None and last[0] is piece.anchor:
            last[1].text = (last[1].text or "") + piece.text
            continue
        else:
            made = etree.SubElement(element, piece.anchor.tag, dict(piece.anchor.attrib))
            made.text = piece.text
            last = (piece.anchor, made)
            continue
        last = None
    _add(element, behind)


def _add(element: Any, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
