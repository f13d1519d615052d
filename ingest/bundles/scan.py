"""What the lines of a bundle are about, without reading their contents: which of its documents differ from before."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from backtrail.ingest.jsonl import BadLine, raw_lines

_MARK = b"\xef\xbb\xbf"


@dataclass
class Scan:
    """The documents of a bundle in the order of their file.

    Attributes:
        rows: the place of each document, by id.
        digests: of the lines of each, its own first.
        components: how many each has.
        owner: the place of the document that each line of components belongs to, by its number less one.
        files: pictures that the components of each name, by place.
    """

    rows: dict[str, int] = field(default_factory=dict)
    digests: list[bytes] = field(default_factory=list)
    components: list[int] = field(default_factory=list)
    owner: array[int] = field(default_factory=lambda: array("i"))
    files: dict[int, list[str]] = field(default_factory=dict)


def scan_bundle(documents: Path, components: Path) -> Scan | None:
    """Go over the lines of a bundle; None where one of them cannot be used, so that all have to be read in full."""
    found = Scan()
    for entry in raw_lines(documents):
        id_ = _value(entry).get("id")
        if isinstance(entry, BadLine) or not isinstance(id_, str) or id_ in found.rows:
            return None
        found.rows[id_] = len(found.rows)
        found.digests.append(_chained(b"", entry[1]))
        found.components.append(0)
    return found if _add_components(found, components) else None


def _add_components(found: Scan, file: Path) -> bool:
    """Whether every line of the components can be used, as far as that is seen here."""
    seen: set[str] = set()
    for entry in raw_lines(file):
        value = _value(entry)
        id_, document = value.get("id"), value.get("document")
        row = found.rows.get(document) if isinstance(document, str) else None
        if isinstance(entry, BadLine) or not isinstance(id_, str) or id_ in seen or row is None:
            return False
        seen.add(id_)
        number, line = entry
        found.owner.extend([-1] * (number - 1 - len(found.owner)))
        found.owner.append(row)
        found.components[row] += 1
        found.digests[row] = _chained(found.digests[row], line)
        picture = value.get("image")
        if isinstance(picture, dict) and isinstance(picture.get("file"), str):
            found.files.setdefault(row, []).append(picture["file"])
    return True


def _value(entry: tuple[int, bytes] | BadLine) -> dict[str, Any]:
    """The object of a line; an empty one where there is none, or it is not what every parser takes for JSON."""
    if isinstance(entry, BadLine):
        return {}
    try:
        value = orjson.loads(entry[1].removeprefix(_MARK))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _chained(before: bytes, line: bytes) -> bytes:
    return hashlib.blake2b(before + line, digest_size=16).digest()
