"""Titles of pages without one, from the name of the file or folder."""

from __future__ import annotations

import posixpath

_ANY = frozenset({"index", "_index", "readme"})


def named_by_file(document_id: str) -> str:
    """Return the file's name (of an index: its folder's) in words: "Bus stops" for ``bus-stops.md``."""
    stem = posixpath.splitext(posixpath.basename(document_id))[0]
    folder = posixpath.basename(posixpath.dirname(document_id))
    name = folder if stem.lower() in _ANY and folder else stem
    words = " ".join(name.replace("-", " ").replace("_", " ").split())
    return (words[:1].upper() + words[1:] if " " in words and words == words.lower() else words) or stem
