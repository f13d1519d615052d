"""Section paths from headings, and texts of headings without content below.

Some pages put all their content into headings: dates, places, figures, items of an agenda. Without these texts, 696
words of main text and 682 others are lost on 166 pages of the development set of WCXB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backtrail.ingest.draft import Draft

_LONGEST_HEADING = 250
"""Characters above which a heading is a paragraph, a bound of section paths (ours); no heading of 366 pages is
as long."""


@dataclass
class Heading:
    """Heading with its element, level and text."""

    element: Any
    level: int
    text: str

    @property
    def is_paragraph(self) -> bool:
        """Whether the text is too long for a heading."""
        return len(self.text) > _LONGEST_HEADING


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
        self._bare = heading

    def leave(self, level: int = 0) -> Draft | None:
        """Close the last heading; return its text as a draft if there was no content below it.

        Args:
            level: level of the next heading; 0 at the end.
        """
        bare = self._bare
        if bare is None or bare.level < level:
            return None
        self._bare = None
        if bare.level == 1 and bare.text.casefold() == self._title:
            return None
        section = self._path([above for above in self._open if above[0] < bare.level])
        return Draft(section, bare.element.get("id", "").strip(), text=bare.text)

    def read(self) -> None:
        """Record content below the open headings."""
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
