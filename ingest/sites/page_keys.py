"""Keys of pages: one for ``a/b.md``, ``a/b.html``, ``a/b``, ``a/b/`` and ``a/b/index.html``."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd")
PAGE_SUFFIXES = frozenset({*MARKDOWN_SUFFIXES, ".html", ".htm", ".xhtml", ".rst", ".adoc", ".ipynb", ".php"})
INDEXES = frozenset({"index", "_index", "readme"})


def page_key(path: str) -> str:
    """Return the key of a document id or path; "" for the index page of the ingested folder."""
    stem = without_suffix(posixpath.normpath(path).strip("/").lower())
    folder, name = posixpath.split(stem)
    if name in INDEXES:
        return folder
    return "" if stem == "." else stem


def without_suffix(path: str) -> str:
    """Return a path without a page suffix; the end of a version such as ``v3.6`` is none."""
    stem, suffix = posixpath.splitext(path)
    return stem if suffix in PAGE_SUFFIXES else path


def is_index(path: str) -> bool:
    """Return whether a document is the index page of its folder."""
    return without_suffix(posixpath.basename(path).lower()) in INDEXES


def ancestors(name: str) -> list[str]:
    """Return the folders above a file, innermost first; the ingested folder is ""."""
    folders: list[str] = []
    name = name.lstrip("/")  # the parent of "/" is "/", which would loop
    while name:
        name = posixpath.dirname(name)
        folders.append(name)
    return folders


def normal_path(path: str) -> str | None:
    """Return a normalised path in the ingested folder; None outside it, "." for the folder itself."""
    normal = posixpath.normpath(path.lstrip("/")) if path.strip("/") else "."
    return None if normal == ".." or normal.startswith("../") else normal


def nearest(found: Iterable[str], source: str) -> str | None:
    """Return the file that shares most folders with a page, then the one with fewest; None if empty."""
    folders = posixpath.dirname(f"/{source}")
    ranked = ((-len(posixpath.commonpath([f"/{path}", folders])), path.count("/"), path) for path in found)
    return min(ranked, default=(0, 0, None))[2]
