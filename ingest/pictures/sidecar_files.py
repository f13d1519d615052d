"""Read descriptions in files beside a picture: ``a.jpg.txt``, ``a.jpg.json``, ``a.xmp``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from backtrail.ingest.html.source import decode
from backtrail.ingest.parse_cache.trace_dependencies import record_file
from backtrail.ingest.pictures.description import MOST_CHARACTERS, PictureDescription, clean, one_of
from backtrail.ingest.pictures.embedded import xmp_description
from backtrail.tools.untrusted_values import read_json

_MOST_BYTES = 256 * 1024
_WHOLE_NAME = (".txt", ".json", ".supplemental-metadata.json", ".xmp")
"""Endings after the picture's whole name."""
_STEM = (".xmp", ".txt")
"""Endings in place of its extension. Of 14,266 pictures in 80 repositories 22 are described so, and two in JSON."""
_TITLE, _TEXT = ("title", "headline"), ("description", "caption", "text", "content", "comment")
_ALT, _WORDS = ("alt", "alt_text", "alttext"), ("keywords", "tags", "subjects")


def descriptions_of(path: Path) -> PictureDescription:
    """Return the description in the files beside a picture; unreadable files are ignored."""
    found = (_read(beside) for beside in _candidates(path))
    # Google Photos gives every picture its file's name as title
    return one_of(replace(one, title="") if one.title == path.name else one for one in found)


def describes_a_picture(name: str, size: int, others: Collection[str]) -> bool:
    """Return whether a file is only the description of a picture beside it.

    Args:
        name: name of the file.
        size: its size in bytes; a long text with the stem of a picture is a document.
        others: names of all pictures in its folder.
    """
    for ending in _WHOLE_NAME:
        if name.lower().endswith(ending) and name[: -len(ending)] in others:
            return True
    stem, dot, ending = name.rpartition(".")
    if f"{dot}{ending}".lower() not in _STEM or size > MOST_CHARACTERS:
        return False
    return any(other.rpartition(".")[0] == stem for other in others)


def _candidates(path: Path) -> Iterator[Path]:
    names = [f"{path.name}{ending}" for ending in _WHOLE_NAME] + [f"{path.stem}{ending}" for ending in _STEM]
    for name in names:
        beside = path.with_name(name)
        record_file(beside)
        if beside.is_file() and not beside.is_symlink() and beside.stat().st_size <= _MOST_BYTES:
            whole = name.startswith(path.name)
            if whole or beside.stat().st_size <= MOST_CHARACTERS or beside.suffix.lower() == ".xmp":
                yield beside


def _read(path: Path) -> PictureDescription:
    try:
        content = path.read_bytes()
    except OSError:
        return PictureDescription()
    if path.suffix.lower() == ".xmp":
        return xmp_description(content)
    text = decode(content) or ""
    return _of_json(text) if path.suffix.lower() == ".json" else PictureDescription(text=clean(text))


def _of_json(text: str) -> PictureDescription:
    try:
        values = read_json(text)
    except ValueError:
        return PictureDescription()
    if not isinstance(values, dict):
        return PictureDescription()
    fields: dict[str, Any] = {str(name).lower(): value for name, value in values.items()}

    def first(names: tuple[str, ...]) -> str:
        return next((text_found for name in names if (text_found := clean(fields.get(name)))), "")

    listed = next((fields[name] for name in _WORDS if isinstance(fields.get(name), list)), [])
    words = tuple(word for entry in listed[:100] if (word := clean(entry)))
    return PictureDescription(first(_TITLE), first(_TEXT), first(_ALT), words)
