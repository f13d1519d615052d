"""Labels of reStructuredText (``.. _name:``), which pages of Sphinx refer to from anywhere in the site."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from backtrail.ingest.sites.page_heads import read_start

_MOST_BYTES = 1024 * 1024  # of one page
_LABEL = re.compile(r"^\.\. _(?:`([^`\n]{1,200})`|((?:[^:`\n\\]|\\:){1,200})):[ \t]*$")
_UNDERLINE = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}[ \t]*$")
_MARKED = re.compile(r"#{1,6}[ \t]+(\S.{0,500}?)[ \t]*#*[ \t]*$")
_NO_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Label:
    """Where a label stands: its page, the id that leads there, and the heading below it, if there is one."""

    page: str
    fragment: str
    heading: str


class Labels:
    """The labels of all pages, found when first asked.

    Args:
        pages: files by document id.
    """

    def __init__(self, pages: Mapping[str, Path]) -> None:
        self._pages = pages

    def named(self, name: str) -> list[Label]:
        """All labels of that name, in the order of their pages."""
        return self.all.get(fragment_of(name), [])

    @cached_property
    def all(self) -> dict[str, list[Label]]:
        """Every label, by the id that docutils makes of it."""
        found: dict[str, list[Label]] = defaultdict(list)
        for id_, path in self._pages.items():
            if id_.lower().endswith((".rst", ".rest")):
                for label, heading in labels_of(read_start(path, _MOST_BYTES)):
                    found[fragment_of(label)].append(Label(id_, fragment_of(label), heading))
        return dict(found)


def fragment_of(label: str) -> str:
    """The id that docutils makes of a label of Latin letters."""
    return _NO_WORD.sub("-", " ".join(label.lower().split())).strip("-")


def labels_of(text: str) -> Iterator[tuple[str, str]]:
    """Each label of a page with the heading that it stands before, "" where it stands before something else."""
    lines = text.splitlines()
    waiting: list[str] = []
    for number, line in enumerate(lines):
        match = _LABEL.match(line)
        if match:
            waiting.append((match[1] or match[2]).replace("\\:", ":"))
        elif waiting and line.strip() and not _UNDERLINE.match(line):
            below = lines[number + 1] if number + 1 < len(lines) else ""
            marked = _MARKED.match(line)
            heading = " ".join(line.split()) if _UNDERLINE.match(below) else marked[1] if marked else ""
            yield from ((label, heading) for label in waiting)
            waiting = []
