"""Relations between parts of a package (Open Packaging Conventions, ISO/IEC 29500-2)."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from backtrail.ingest.archive import Archive


@dataclass(frozen=True)
class Relation:
    """One relation: last word of its type ("image", "chart"), and a part's name or external address."""

    kind: str
    target: str
    is_external: bool


def read_relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Return the relations of a part by id; external addresses are never fetched."""
    folder, _, name = part.rpartition("/")
    root = archive.tree(f"{folder}/_rels/{name}.rels".lstrip("/"))
    found: dict[str, Relation] = {}
    for element in root if root is not None else ():
        id_, target = element.get("Id"), element.get("Target")
        if not id_ or not target:
            continue
        kind = (element.get("Type") or "").rpartition("/")[2]
        external = element.get("TargetMode") == "External"
        found[id_] = Relation(kind, target if external else _part_name(folder, target), external)
    return found


def _part_name(folder: str, target: str) -> str:
    target = unquote(target.partition("#")[0])
    joined = target if target.startswith("/") else posixpath.join(folder, target)
    return posixpath.normpath(joined).lstrip("/")


def main_part(archive: Archive) -> str:
    """Return the name of a document's main part; "" if there is none."""
    return next((one.target for one in read_relations(archive, "").values() if one.kind == "officeDocument"), "")
