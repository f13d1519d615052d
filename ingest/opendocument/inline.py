"""What stands in a paragraph: text, links, marks that links lead to, pictures, notes, and what floats beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.scripts import open_script
from backtrail.ingest.opendocument.names import DRAW, OFFICE, SVG, TABLE, TEXT, XLINK, count
from backtrail.ingest.opendocument.styles import Styles
from backtrail.ingest.word.elements import add_text, child, says

_MOST_SPACES = 100
_LEFT_OUT = frozenset({f"{TEXT}soft-page-break", f"{TEXT}ruby-text", f"{TEXT}note-citation", f"{TEXT}tracked-changes"})
_SPACES = frozenset({f"{TEXT}s", f"{TEXT}tab"})
_MARKS = frozenset({f"{TEXT}bookmark", f"{TEXT}bookmark-start", f"{TEXT}reference-mark", f"{TEXT}reference-mark-start"})
_REFERENCES = frozenset({f"{TEXT}bookmark-ref", f"{TEXT}reference-ref"})


@dataclass
class Inline:
    """Reads paragraphs. Gathers notes and comments, which stand at the end, and shapes, which stand after them."""

    styles: Styles = field(default_factory=lambda: Styles(()))
    notes: list[tuple[str, Any]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    shapes: list[Any] = field(default_factory=list)

    def read(self, source: Any, into: Any) -> None:
        """Write the contents of a paragraph into an element."""
        add_text(into, source.text or "")
        for part in source:
            self._part(part, into)
            add_text(into, part.tail or "")

    def _part(self, part: Any, into: Any) -> None:
        tag = part.tag
        if tag in _LEFT_OUT:
            return
        if tag in _SPACES:
            add_text(into, " " * count(part, f"{TEXT}c", _MOST_SPACES))
        elif tag == f"{TEXT}line-break":
            child(into, "br")
        elif tag == f"{TEXT}a":
            self.read(part, child(into, "a", href=part.get(f"{XLINK}href") or ""))
        elif tag in _REFERENCES:
            self.read(part, child(into, "a", href=f"#{part.get(f'{TEXT}ref-name') or ''}"))
        elif tag in _MARKS:
            child(into, "span", id=part.get(f"{TEXT}name") or "")
        elif tag == f"{TEXT}note":
            self._note(part, into)
        elif tag == f"{OFFICE}annotation":
            self._comment(part)
        elif tag.startswith(DRAW):
            self._drawn(part, into)
        else:
            shift = self.styles.shift(part.get(f"{TEXT}style-name") or "") if tag == f"{TEXT}span" else ""
            self.read(part, open_script(into, shift) if shift else into)

    def _note(self, note: Any, into: Any) -> None:
        body = note.find(f"{TEXT}note-body")
        if body is not None:
            self.notes.append((note.get(f"{TEXT}note-class") or "footnote", body))
            number = len(self.notes)
            add_text(child(into, "a", href=f"#note-{number}"), f"[{number}]")

    def _comment(self, annotation: Any) -> None:
        author = normalise(annotation.findtext("{*}creator") or "")
        words = normalise(" ".join("".join(one.itertext()) for one in annotation.iter(f"{TEXT}p")))
        if words:
            self.comments.append(f"{author}: {words}" if author else words)

    def _drawn(self, shape: Any, into: Any) -> None:
        """A picture where it stands; other shapes wait for the end of the paragraph."""
        if shape.tag == f"{DRAW}a":
            for inner in shape:
                self._drawn(inner, child(into, "a", href=shape.get(f"{XLINK}href") or ""))
        elif shape.tag == f"{DRAW}frame" and is_picture(shape):
            picture(shape, into)
        else:
            self.shapes.append(shape)


def is_picture(frame: Any) -> bool:
    """Whether a frame holds a picture and nothing that can be read better."""
    kinds = {part.tag for part in frame}
    return f"{DRAW}image" in kinds and not kinds & {f"{DRAW}object", f"{DRAW}text-box", f"{TABLE}table"}


def picture(frame: Any, into: Any) -> None:
    """The picture of a frame, with what its author says that it shows."""
    said = (normalise(frame.findtext(f"{SVG}{name}") or "") for name in ("title", "desc"))
    source = frame.find(f"{DRAW}image").get(f"{XLINK}href") or ""
    if source:
        child(into, "img", src=source.removeprefix("./"), alt=". ".join(filter(None, said)))


def text_of(source: Any) -> str:
    """What a paragraph says, without what floats and notes."""
    held = child(source.makeelement("body"), "p")
    Inline().read(source, held)
    return normalise(says(held))
