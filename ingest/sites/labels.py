"""Labels (``.. _name:``, in Markdown ``(name)=``), which pages refer to from anywhere in their site."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from backtrail.ingest.sites.page_heads import read_start
from backtrail.ingest.sites.page_keys import MARKDOWN_SUFFIXES

_MOST_BYTES = 1024 * 1024  # of one page
_LABEL = re.compile(
    r"^\.\. _(?:`([^`\n]{1,200})`|((?:[^:`\n\\]|\\:){1,200})):[ \t]*$"
    r"(?=(?:\n(?:[ \t]{0,200}|\.\. _[^\n]{1,200}:[ \t]*)$){1,9}"
    r"\n(?P<heading>\S[^\n]{0,500})\n[!-/:-@\[-`{-~]{3,200}[ \t]*$)?",
    re.M,
)
_TARGET = re.compile(r"^\(([\w./:-]{1,100})\)=[ \t]*$", re.M)
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
        return self.all.get(_fragment_of(name), [])

    @cached_property
    def all(self) -> dict[str, list[Label]]:
        """Every label, by the id that docutils makes of it."""
        found: dict[str, list[Label]] = defaultdict(list)
        for id_, path in self._pages.items():
            suffix = path.suffix.lower()
            text = read_start(path, _MOST_BYTES) if suffix in (".rst", ".rest", *MARKDOWN_SUFFIXES) else ""
            if suffix in MARKDOWN_SUFFIXES:
                for name in _TARGET.findall(text) if ")=" in text else ():
                    found[_fragment_of(name)].append(Label(id_, name, ""))
                continue
            for label in _LABEL.finditer(text):
                fragment = _fragment_of((label[1] or label[2]).replace("\\:", ":"))
                found[fragment].append(Label(id_, fragment, " ".join((label["heading"] or "").split())))
        return dict(found)


def _fragment_of(label: str) -> str:
    """The id that docutils makes of a label of Latin letters."""
    return _NO_WORD.sub("-", " ".join(label.lower().split())).strip("-")
