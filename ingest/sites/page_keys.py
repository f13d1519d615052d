"""One key for all the addresses of a page: ``a/b.md``, ``a/b.html``, ``a/b``, ``a/b/`` and ``a/b/index.html``."""

from __future__ import annotations

import posixpath
from pathlib import Path

MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd")
PAGE_SUFFIXES = frozenset({*MARKDOWN_SUFFIXES, ".html", ".htm", ".xhtml", ".rst", ".adoc", ".ipynb", ".php"})
_OUTSIDE = 3
"""Folders above the ingested one, itself included, that a site may be called by."""
INDEXES = frozenset({"index", "_index", "readme"})


def page_key(path: str) -> str:
    """The key of a document id or of a normalised path; "" is the page of the folder itself."""
    stem = without_suffix(posixpath.normpath(path).strip("/").lower())
    folder, name = posixpath.split(stem)
    if name in INDEXES:
        return folder
    return "" if stem == "." else stem


def without_suffix(path: str) -> str:
    """A path without the suffix of a page; versions such as ``v3.6`` are none."""
    stem, suffix = posixpath.splitext(path)
    return stem if suffix in PAGE_SUFFIXES else path


def is_index(path: str) -> bool:
    """Whether a document is the page of its folder."""
    return without_suffix(posixpath.basename(path).lower()) in INDEXES


def ancestors(name: str) -> list[str]:
    """The folders above a file, innermost first; the ingested folder is ""."""
    folders: list[str] = []
    while name:
        name = posixpath.dirname(name)
        folders.append(name)
    return folders


def served_below(root: Path, source: str, tail: str) -> list[str]:
    """Where ``docs/page`` may lie for a page of ``src/docs/text/``: a site that shows these files at ``/docs/`` calls
    them by the first folder alone. Innermost first; none where the page lies in no folder of that name.
    """
    first, _, rest = tail.partition("/")
    if not rest:
        return []
    outside = root.parts[-_OUTSIDE:]
    above = [folder for folder in ancestors(source) if first in (*outside, *folder.split("/"))]
    return [place for folder in above if (place := normal_path(posixpath.join(folder, rest)))]


def normal_path(path: str) -> str | None:
    """A path within the ingested folder, normalised; None outside it, "." for the folder itself."""
    normal = posixpath.normpath(path.lstrip("/")) if path.strip("/") else "."
    return None if normal == ".." or normal.startswith("../") else normal
