"""Labels (``.. _name:``, in Markdown ``(name)=``), to which any page of a site can refer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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
    """A label: its page, the id on that page, and the heading below it, if there is one."""

    page: str
    fragment: str
    heading: str = ""


def labels_of(pages: Mapping[str, Path]) -> dict[str, Label]:
    """Return the labels of pages by their docutils id; the first page wins.

    Args:
        pages: files by document id.
    """
    found: dict[str, Label] = {}
    for id_, path in pages.items():
        suffix = path.suffix.lower()
        text = read_start(path, _MOST_BYTES) if suffix in (".rst", ".rest", *MARKDOWN_SUFFIXES) else ""
        if suffix in MARKDOWN_SUFFIXES:
            for name in _TARGET.findall(text) if ")=" in text else ():
                found.setdefault(fragment_of(name), Label(id_, name))
            continue
        for label in _LABEL.finditer(text):
            fragment = fragment_of((label[1] or label[2]).replace("\\:", ":"))
            found.setdefault(fragment, Label(id_, fragment, " ".join((label["heading"] or "").split())))
    return found


def fragment_of(label: str) -> str:
    """Return the id that docutils makes of a label in Latin letters."""
    return _NO_WORD.sub("-", " ".join(label.lower().split())).strip("-")
