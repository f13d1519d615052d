"""sha256 of checkpoint files, cached so that a start does not read gigabytes again.

The cache is a JSON file in the cache folder: {path: {size, mtime_ns, sha256}}. Size and time only
decide whether the cached hash is valid; weights are identified by sha256.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.embedders.errors import EmbedderWeightsMissing

MEMORY = "weights-sha256.json"


def file_sha256(path: Path, *, cache_folder: Path) -> str:
    """Hex sha256 of a file. Raises EmbedderWeightsMissing if it does not exist."""
    if not path.is_file():
        raise EmbedderWeightsMissing(f"The checkpoint file {str(path)!r} does not exist; check the folder's name.")
    stat = path.stat()
    stamp = {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    memory = _read(cache_folder / MEMORY)
    known = memory.get(str(path.resolve()))
    if isinstance(known, dict) and {key: known.get(key) for key in stamp} == stamp and "sha256" in known:
        return str(known["sha256"])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    memory[str(path.resolve())] = {**stamp, "sha256": digest}
    write_atomically(cache_folder / MEMORY, json.dumps(memory, indent=1, sort_keys=True).encode())
    return digest


def files_sha256(paths: Sequence[Path], *, cache_folder: Path) -> str:
    """One hex sha256 over the names and contents of several files, in the order given."""
    joined = hashlib.sha256()
    for path in paths:
        joined.update(f"{path.name}\0{file_sha256(path, cache_folder=cache_folder)}\n".encode())
    return joined.hexdigest()


def _read(path: Path) -> dict[str, Any]:
    # A damaged cache only costs hashing again.
    try:
        memory = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return memory if isinstance(memory, dict) else {}
