"""Scan the lines of a bundle for ids and digests, to find the documents that have changed."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from backtrail.ingest.jsonl import BadLine, raw_lines

_MARK = b"\xef\xbb\xbf"
_DIGEST = 16  # bytes


@dataclass
class Scan:
    """Documents of a bundle in the order of their file.

    Attributes:
        rows: place of each document, by id.
        digests: concatenated digests of each document's lines.
        components: number of components of each document.
        owner: place of the document of each line of components, by line number minus one.
        files: picture files named by the components of each document, by place.
    """

    rows: dict[str, int] = field(default_factory=dict)
    digests: bytearray = field(default_factory=bytearray)
    components: array[int] = field(default_factory=lambda: array("i"))
    owner: array[int] = field(default_factory=lambda: array("i"))
    files: dict[int, list[str]] = field(default_factory=dict)

    def digest(self, place: int) -> str:
        """Return the hexadecimal digest of a document's lines."""
        return self.digests[_DIGEST * place : _DIGEST * (place + 1)].hex()


def scan_bundle(documents: Path, components: Path) -> Scan | None:
    """Scan a bundle; None if a line is invalid, so that all lines must be parsed."""
    found = Scan()
    for entry in raw_lines(documents):
        id_ = _value(entry).get("id")
        if isinstance(entry, BadLine) or not isinstance(id_, str) or id_ in found.rows:
            return None
        found.rows[id_] = len(found.rows)
        found.digests += blake2b(entry[1], digest_size=_DIGEST).digest()
        found.components.append(0)
    return found if _add_components(found, components) else None


def _add_components(found: Scan, file: Path) -> bool:
    """Add the components to a scan; return whether all lines look valid."""
    seen = array("q")  # hashes: on a collision all lines are parsed
    rows, owner, digests = found.rows, found.owner, found.digests
    for entry in raw_lines(file):
        value = _value(entry)
        id_, document = value.get("id"), value.get("document")
        if isinstance(entry, BadLine) or type(id_) is not str or type(document) is not str or document not in rows:
            return False
        number, line = entry
        row = rows[document]
        if number > len(owner) + 1:
            owner.extend([-1] * (number - 1 - len(owner)))
        owner.append(row)
        seen.append(hash(id_))
        found.components[row] += 1
        own = slice(_DIGEST * row, _DIGEST * (row + 1))
        digests[own] = blake2b(digests[own] + line, digest_size=_DIGEST).digest()
        picture = value.get("image")
        if picture and isinstance(picture, dict) and isinstance(picture.get("file"), str):
            found.files.setdefault(row, []).append(picture["file"])
    hashes = np.frombuffer(seen, np.int64)
    hashes.sort()
    return not bool(np.any(hashes[1:] == hashes[:-1]))  # no id occurs twice


def _value(entry: tuple[int, bytes] | BadLine) -> dict[str, Any]:
    """Return the object of a line; an empty one if the line is not strict JSON or no object."""
    if isinstance(entry, BadLine):
        return {}
    line = entry[1]
    try:
        value = orjson.loads(line.removeprefix(_MARK) if line[:3] == _MARK else line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
