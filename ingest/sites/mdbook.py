"""book.toml and SUMMARY.md of mdBook; a SUMMARY.md alone is read like GitBook's."""

from __future__ import annotations

import re
from urllib.parse import unquote

from backtrail.ingest.sites.configuration import folders, inside, mapping, section, with_slash
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import NavEntry, Site

_CHAPTER = re.compile(r"^([ \t]*)(?:[-*+][ \t]+)?\[((?:[^\[\]]|\\.){0,300})\]\(([^()\s]{0,500})\)[ \t]*$", re.M)


def read_mdbook(text: str, folder: str, summary: str) -> Site:
    """The site of a ``book.toml`` (which may be empty text) and its SUMMARY.md."""
    values = mapping("book.toml", text)
    source = inside(folder, source_folder(text)) if text else folder
    html = section(values, "output", "html")
    redirects = section(html, "redirect")
    return Site(
        folder=folder,
        flavour="mdbook",
        name=plain(section(values, "book").get("title")),
        base_url=with_slash(plain(html.get("site-url"))),
        content=(source or "",),
        snippets=folders(folder, "."),
        pretty=False,
        macros=False,
        redirects={str(former): target for former, now in redirects.items() if (target := plain(now))},
        nav=tuple(_chapters(summary, source or "")),
    )


def source_folder(text: str) -> str:
    """Where a book's chapters and its SUMMARY.md lie, relative to the ``book.toml`` of that text."""
    return plain(section(mapping("book.toml", text), "book").get("src")) or "src"


def _chapters(summary: str, source: str) -> list[NavEntry]:
    """Chapters by their indentation. Titles of parts are no level: mdBook numbers chapters through them."""
    entries: list[NavEntry] = []
    indents: list[int] = []
    for indent, title, target in _CHAPTER.findall(summary):
        width = len(indent.expandtabs(4))
        while indents and indents[-1] >= width:
            indents.pop()
        path = inside(source, unquote(target.partition("#")[0])) if target and "://" not in target else ""
        entries.append(NavEntry(" ".join(title.replace("\\", "").replace("`", "").split()), path or "", len(indents)))
        indents.append(width)
    return entries
