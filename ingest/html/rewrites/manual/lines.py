"""Lines of a ``<pre>`` with their links and names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

_BOLD = frozenset({"b", "strong"})


@dataclass(frozen=True)
class Piece:
    """Run of text with the same style; ``anchor`` is the link or named element around it."""

    text: str
    anchor: Any
    bold: bool


@dataclass
class Line:
    """Stripped line with its indentation."""

    indent: int = 0
    pieces: list[Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Text of the line."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def bold(self) -> bool:
        """Whether all letters are bold."""
        return all(piece.bold for piece in self.pieces if any(map(str.isalnum, piece.text)))

    def cut(self, start: int, end: int | None = None) -> Line:
        """Return a part of the line by character positions."""
        position, kept = 0, []
        end = len(self.text) if end is None else end
        for piece in self.pieces:
            text = piece.text[max(0, start - position) : max(0, end - position)]
            position += len(piece.text)
            if text or (not piece.text and start <= position <= end):
                kept.append(Piece(text, piece.anchor, piece.bold))
        return Line(self.indent + start, kept)


def read_lines(listing: Any) -> list[Line]:
    """Return the lines of an element, with tabs expanded to eight columns."""
    lines: list[list[Piece]] = [[]]
    anchors: list[Any] = [None]
    bold = 0

    def append(text: str | None) -> None:
        for number, part in enumerate((text or "").replace("\r\n", "\n").split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Piece(part, anchors[-1], bold > 0))

    for event, element in etree.iterwalk(listing, events=("start", "end")):
        if event == "start":
            bold += element.tag in _BOLD
            named = element is not listing and (element.get("href") or element.get("id") or element.get("name"))
            anchors.append(element if named else anchors[-1])
            if named and not element.text:
                lines[-1].append(Piece("", element, False))
            append("\n" if element.tag == "br" else element.text)
        else:
            bold -= element.tag in _BOLD
            anchors.pop()
            append(element.tail if element is not listing else "")
    return [_trimmed(pieces) for pieces in lines]


def _trimmed(pieces: list[Piece]) -> Line:
    column, expanded = 0, []
    for piece in pieces:
        text = ""
        for letter in piece.text:
            text += " " * (8 - (column + len(text)) % 8) if letter == "\t" else letter
        column += len(text)
        expanded.append(Piece(text, piece.anchor, piece.bold))
    whole = "".join(piece.text for piece in expanded)
    kept = Line(0, expanded)
    indent = len(whole) - len(whole.lstrip())
    return kept.cut(indent, max(indent, len(whole.rstrip())))
