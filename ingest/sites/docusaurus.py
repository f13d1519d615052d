"""docusaurus.config.js and sidebars: read as texts, for what stands there literally."""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.sites.configuration import folders, inside, literal, with_slash
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import NavEntry, Site

_PATH = re.compile(r"""\bpath\s*:\s*["']((?:\.\.?/)?[\w./-]{1,200})["']""")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<![:\"'\w])//[^\n]*", re.S)
_MOST, _DEEPEST = 100_000, 20
_LONGEST_SIDEBARS = 200_000


def read_docusaurus(text: str, folder: str, sidebars: str) -> Site:
    """The site of one configuration, with the text of its sidebars if they lie beside it."""
    text = _COMMENT.sub("", text)
    docs = folders(folder, *_PATH.findall(text)) or folders(folder, "docs")
    beside = [path.rpartition("/")[0] for path in docs]
    base, root = literal(text, "url"), literal(text, "baseUrl")
    return Site(
        folder=folder,
        flavour="docusaurus",
        name=literal(text, "title"),
        base_url=with_slash(base.rstrip("/") + "/" + root.strip("/")) if base else "",
        content=tuple(dict.fromkeys([folder, *beside, *docs])),
        static=folders(folder, "static"),
        snippets=folders(folder, "."),
        pretty=False,
        macros=False,
        nav=tuple(_nav(_sidebars(sidebars), docs[0] if docs else folder)),
    )


def _sidebars(text: str) -> Any:
    """The object that ``sidebars.js`` exports. What is computed there is lost."""
    from json_repair import repair_json

    start = text.find("{", max(text.find("module.exports"), text.find("export default"), 0))
    named = re.search(r"\bsidebars?\b[^={\n]{0,80}=\s*\{", text)
    if named:
        start = named.end() - 1
    try:
        return (
            repair_json(_COMMENT.sub("", text[start : start + _LONGEST_SIDEBARS]), return_objects=True)
            if start >= 0
            else {}
        )
    except (RecursionError, ValueError):
        return {}


def _nav(sidebars: Any, docs: str) -> list[NavEntry]:
    """Entries of all sidebars in order; a category is a section, with a page if it names one."""
    entries: list[NavEntry] = []
    first = list(sidebars.values())[::-1] if isinstance(sidebars, dict) else []
    pending: list[tuple[Any, int]] = [(sidebar, 0) for sidebar in first]
    while pending and len(entries) < _MOST:
        entry, depth = pending.pop()
        if isinstance(entry, list):
            pending += [(part, depth) for part in entry[::-1]]
        elif isinstance(entry, str):
            entries.append(NavEntry("", inside(docs, entry) or "", depth))
        elif isinstance(entry, dict) and entry.get("type") in ("doc", "ref"):
            entries.append(NavEntry(plain(entry.get("label")), inside(docs, plain(entry.get("id"))) or "", depth))
        elif isinstance(entry, dict) and entry.get("type") == "category":
            link = entry.get("link")
            page = plain(link.get("id")) if isinstance(link, dict) else ""
            entries.append(NavEntry(plain(entry.get("label")), (page and inside(docs, page)) or "", depth))
            pending.append((entry.get("items") if depth < _DEEPEST else None, depth + 1))
        elif isinstance(entry, dict) and "type" not in entry:
            for label, items in list(entry.items())[::-1]:
                pending.append((items if depth < _DEEPEST else None, depth + 1))
                pending.append(({"type": "category", "label": label}, depth))
    return entries
