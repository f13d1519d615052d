"""The navigation of a Sphinx site: the toctrees of its pages, in reStructuredText and MyST, from the root down."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

from backtrail.ingest.sites.page_heads import first_heading, read_start
from backtrail.ingest.sites.page_keys import normal_path
from backtrail.ingest.sites.site import NavEntry

_MOST_BYTES = 1024 * 1024
_MOST_ENTRIES = 100_000
_MOST_LISTED = 5_000
_MOST_PATTERNS = 20
"""Of one page; each is compared with all pages of the site."""

_DEEPEST = 20
_KINDS = (".rst", ".rest", ".md", ".markdown")
_ROOTS = ("index", "contents")
_DIRECTIVE = re.compile(r"^(?P<space>[ \t]*)(?:\.\.[ \t]+toctree::|(?P<fence>`{3,}|:{3,})\{toctree\})[ \t]*$")
_OPTION = re.compile(r"^:?(?P<name>[a-z]{1,20}):[ \t]*(?P<value>.{0,300})$")
_ENTRY = re.compile(r"^(?P<title>[^<>]{0,300}?)[ \t]*<(?P<target>[^<>]{1,500})>$")
_LINE = re.compile(r"^([=\-~^\"'#*+.:`_])\1{2,}\s*$")


_Entry = tuple[str, str, str]
"""Caption of a toctree, title and page of one of its entries."""


@dataclass
class _Toctree:
    """One toctree: the caption over it, and title and page of each entry; patterns as they are written."""

    caption: str = ""
    glob: bool = False
    entries: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Page:
    heading: str
    toctrees: list[_Toctree]


def sphinx_navigation(documents: Mapping[str, Path], folder: str) -> tuple[NavEntry, ...]:
    """The entries of a site in order, sections before what they hold; each page stands once.

    Args:
        documents: files by their document id.
        folder: of the site's ``conf.py``.
    """
    within = f"{folder}/" if folder else ""
    files = {id_: path for id_, path in documents.items() if id_.startswith(within) and id_.lower().endswith(_KINDS)}
    pages = {posixpath.splitext(id_)[0]: _read(path) for id_, path in files.items()}
    listed = {name: list(_entries(name, page, pages, folder)) for name, page in pages.items() if page.toctrees}
    named = {target for entries in listed.values() for _, _, target in entries}
    first = [f"{within}{name}" for name in _ROOTS if pages.get(f"{within}{name}", _Page("", [])).toctrees]
    roots = first or sorted(name for name, page in pages.items() if page.toctrees and name not in named)
    parents = _parents(roots, pages, listed)
    found: list[NavEntry] = []
    seen: set[str] = set()
    pending = [(root, "", 0) for root in reversed(roots)]
    while pending and len(found) < _MOST_ENTRIES:
        name, title, depth = pending.pop()
        if not name:
            found.append(NavEntry(title, "", depth))
        elif name not in seen:
            seen.add(name)
            found.append(NavEntry(title or pages[name].heading, name, depth))
            if depth < _DEEPEST:
                below = _below(listed.get(name, []), depth + 1)
                pending += [entry for entry in below if not entry[0] or parents.get(entry[0]) == name][::-1]
    return tuple(found) if len(found) > 1 else ()


def _parents(
    roots: Sequence[str], pages: Mapping[str, _Page], listed: Mapping[str, Sequence[_Entry]]
) -> dict[str, str]:
    """For each page that is listed, the page that lists it closest to a root."""
    parents: dict[str, str] = {}
    level = list(roots)
    while level:
        below: list[str] = []
        for name in level:
            for _, _, target in listed.get(name, ()):
                if target in pages and target not in parents and target not in roots:
                    parents[target] = name
                    below.append(target)
        level = below
    return parents


def _below(entries: Sequence[_Entry], depth: int) -> Iterator[tuple[str, str, int]]:
    """Page, title and depth of what a page lists; a caption stands above its entries, as a section without a page."""
    above = ""
    for caption, title, target in entries:
        if caption and caption != above:
            yield "", caption, depth
        above = caption
        yield target, title, depth + bool(caption)


def _entries(name: str, page: _Page, pages: Mapping[str, _Page], folder: str) -> Iterator[_Entry]:
    """Caption, title and page of everything that the toctrees of a page list."""
    patterns = 0
    for toctree in page.toctrees:
        for title, written in toctree.entries[:_MOST_LISTED]:
            base = folder if written.startswith("/") else posixpath.dirname(name)
            target = normal_path(posixpath.join(base, written.lstrip("/"))) or ""
            target = posixpath.splitext(target)[0] if target.lower().endswith(_KINDS) else target
            if toctree.glob and any(sign in target for sign in "*?["):
                patterns += 1
                if patterns > _MOST_PATTERNS:
                    continue
                matching = (other for other in pages if other != name and fnmatchcase(other, target))
                yield from ((toctree.caption, "", other) for other in sorted(matching))
            elif target != name:
                yield toctree.caption, title, target


def _read(path: Path) -> _Page:
    text = read_start(path, _MOST_BYTES)
    lines = text.split("\n")
    is_markdown = path.suffix.lower() in (".md", ".markdown")
    return _Page(first_heading(text) if is_markdown else _underlined(lines), list(_toctrees(lines)))


def _underlined(lines: list[str]) -> str:
    """The first line with a line of signs below it."""
    for line, below in pairwise(lines):
        if line.strip() and not _LINE.match(line) and _LINE.match(below) and not line.startswith((" ", "..")):
            return " ".join(line.split())
    return ""


def _toctrees(lines: list[str]) -> Iterator[_Toctree]:
    number = 0
    while number < len(lines):
        start = _DIRECTIVE.match(lines[number]) if "toctree" in lines[number] else None
        number += 1
        if start is None:
            continue
        toctree = _Toctree()
        while number < len(lines) and _belongs(lines[number], start):
            _take(lines[number].strip(), toctree)
            number += 1
        yield toctree


def _belongs(line: str, start: re.Match[str]) -> bool:
    """Whether a line is of the directive: before the closing fence, or indented deeper."""
    if start["fence"]:
        return not line.strip().startswith(start["fence"])
    return not line.strip() or line.startswith((f"{start['space']} ", f"{start['space']}\t"))


def _take(line: str, toctree: _Toctree) -> None:
    option = _OPTION.match(line)
    if option and (line.startswith(":") or option["name"] in ("caption", "glob", "maxdepth", "hidden", "titlesonly")):
        toctree.caption = option["value"].strip("\"' ") if option["name"] == "caption" else toctree.caption
        toctree.glob = toctree.glob or option["name"] == "glob"
    elif line and line not in ("---", "self") and "://" not in line:
        entry = _ENTRY.match(line)
        toctree.entries.append((entry["title"], entry["target"]) if entry else ("", line))
