"""Find files with the same bytes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path


def duplicate_files(paths: Iterable[Path], new: Collection[Path]) -> dict[Path, Path]:
    """Return each file that repeats an earlier one, with that one. Empty files are left out (ours).

    Only files of the same size as a new one are read: an ingest without new files reads none. Files that cannot be
    read are left to their parser.
    """
    of_size: dict[int, list[Path]] = defaultdict(list)
    for path in paths:
        try:
            of_size[path.stat().st_size].append(path)
        except OSError:
            continue
    repeated: dict[Path, Path] = {}
    for size, alike in of_size.items():
        if size and len(alike) > 1 and any(path in new for path in alike):
            repeated |= _same_bytes(alike)
    return repeated


def _same_bytes(paths: Iterable[Path]) -> dict[Path, Path]:
    first: dict[str, Path] = {}
    repeated: dict[Path, Path] = {}
    for path in paths:
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            continue
        if (original := first.setdefault(digest, path)) != path:
            repeated[path] = original
    return repeated
