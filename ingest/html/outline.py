"""Section paths from headings, and texts of headings without content below.

Some pages put all their content into headings: dates, places, figures, items of an agenda.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from backtrail.ingest.draft import Draft
from backtrail.ingest.html.elements import BOILERPLATE
from backtrail.ingest.html.rewrites.tree import said

_FIGURE = re.compile(r"[^\w\s]{0,3}\s?\d[\d.,:\s]*(?:[^\w\s]{1,3}|\s?\w{1,2})?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "link", "meta", "base", "audio", "rp"})
_NEAR = 2
"""Levels of ancestors within which a skipped element is below a heading (ours)."""
_LONGEST_HEADING = 250
"""Characters above which a heading is a paragraph (ours)."""
_LONGEST_NAME = 60
"""Maximum characters of the name of a figure (ours)."""
_LARGEST_BOX = 160
_MOST_IN_BOX = 20
"""Maximum characters and elements of a box with one figure (ours)."""
_INVITATION_WORDS = 8
_SENTENCE_ENDS = (".", "?", "。", "？")
_NAME_WORDS = 3
"""Maximum words of a heading that only names a skipped element, such as "Related articles" (ours)."""


@dataclass
class Heading:
    """Heading with its element, level and text."""

    element: Any
    level: int
    text: str

    @property
    def only_names(self) -> bool:
        """Whether the text is a few words without number, sentence end or link."""
        if len(self.text.split()) > _NAME_WORDS or any(map(str.isdigit, self.text)):
            return False
        links = any(not link.get("href", "#").startswith("#") for link in self.element.iter("a"))
        return not links and not self.text.endswith(_SENTENCE_ENDS)

    def can_name(self, left_out: Any) -> bool:
        """Return whether the heading can only name a skipped element: few words, no number or sentence end.

        Above a list of links it may also be a sentence ("You may also like this!").
        """
        if any(map(str.isdigit, self.text)):
            return False
        words = len(self.text.split())
        if BOILERPLATE in left_out.attrib or left_out.tag in ("nav", "aside"):
            return words <= _INVITATION_WORDS
        return words <= _NAME_WORDS and self.text[-1].isalnum()

    @property
    def is_paragraph(self) -> bool:
        """Whether the text is too long for a heading."""
        return len(self.text) > _LONGEST_HEADING

    @property
    def is_figure(self) -> bool:
        """Whether the text is a number with sign or unit, and not a year, which can name a section."""
        return _FIGURE.fullmatch(self.text) is not None and _YEAR.fullmatch(self.text) is None

    def is_value_of(self, before: str) -> bool:
        """Return whether the heading is a figure in a small box that starts with its name, the text before."""
        if not self.is_figure or not 0 < len(before) <= _LONGEST_NAME or "\n" in before:
            return False
        around = self.element.getparent()
        if next(islice(around, _MOST_IN_BOX, None), None) is not None:  # too many elements to read
            return False
        box = said(around)[: _LARGEST_BOX + 1].replace(" ", "")
        return len(box) <= _LARGEST_BOX and box.startswith(f"{before}{self.text}".replace(" ", ""))


class Outline:
    """Open headings at a point of a page.

    Args:
        title: the page's title; a first-level heading that repeats it is left out of section paths.
    """

    def __init__(self, title: str) -> None:
        self._title = title.casefold()
        self._open: list[tuple[int, str]] = []
        self._labels: list[tuple[Any, tuple[int, str]]] = []
        self._bare: Heading | None = None
        self._nested = False  # whether the bare heading directly follows another
        self._held: Draft | None = None

    @property
    def section(self) -> str:
        """Path of the open headings."""
        return self._path(self._open)

    @property
    def nearest(self) -> str:
        """Innermost heading; "" if there is none."""
        return self._open[-1][1] if self._open else ""

    def enter(self, heading: Heading) -> None:
        """Open a heading, after ``leave`` was called for its level."""
        self._open = [above for above in self._open if above[0] < heading.level]
        self._open.append((heading.level, heading.text))
        self._nested = self._bare is not None
        self._bare = heading

    def is_value_of_last(self, heading: Heading) -> bool:
        """Return whether a heading is a large figure below the heading that names it."""
        last = self._bare
        return last is not None and last.level >= heading.level and not last.is_figure and heading.is_figure

    def leave(self, level: int = 0, before: Draft | None = None) -> Draft | None:
        """Close the last heading; return its text as a draft if there was no content below it.

        A single short heading only names what a script would show ("Most read"). It is held back until another such
        heading follows, as in a list of services.

        Args:
            level: level of the next heading; 0 at the end.
            before: draft of the headings directly before.
        """
        bare = self._bare
        if bare is None or bare.level < level:
            return None
        self._bare = None
        if bare.level == 1 and bare.text.casefold() == self._title:
            return None
        section = self._path([above for above in self._open if above[0] < bare.level])
        draft = Draft(section, bare.element.get("id", "").strip(), text=bare.text)
        previous, self._held = self._held, None
        if previous is not None and previous.section == section:
            draft.text, draft.element_id = f"{previous.text}\n{draft.text}", previous.element_id
        elif bare.only_names and not self._nested and (before is None or before.section != section):
            self._held = draft
            return None
        return draft

    def read(self) -> None:
        """Record content below the open headings."""
        self._bare = self._held = None

    def left_out(self, element: Any) -> None:
        """Record a skipped element, and drop the last heading if it can only be its name."""
        bare = self._bare
        if bare is None or element.tag in _UNSEEN or not bare.can_name(element):
            return
        around = list(islice(bare.element.iterancestors(), _NEAR))
        if any(parent in around for parent in islice(element.iterancestors(), _NEAR)):
            self._bare = None

    def end(self) -> None:
        """Close all sections."""
        self._open = []

    def open_label(self, element: Any, label: str) -> None:
        """Open a named block as a section until it ends or a heading of the surrounding level follows."""
        named = (self._open[-1][0] if self._open else 0, label)
        self._open.append(named)
        self._labels.append((element, named))

    def close_label(self, element: Any) -> None:
        """Close a named block and the sections of headings inside it, if the element is one."""
        if not self._labels or self._labels[-1][0] is not element:
            return
        named = self._labels.pop()[1]
        for index, heading in enumerate(self._open):
            if heading is named:
                del self._open[index:]
                return

    def _path(self, headings: list[tuple[int, str]]) -> str:
        return " > ".join(name for level, name in headings if not (level == 1 and name.casefold() == self._title))
