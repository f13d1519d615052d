"""Picture files by content: ``blobs/ab/<sha256>``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from backtrail.tools.atomic_file import write_atomically

_SHA256 = re.compile(r"[0-9a-f]{64}")


class BlobStore:
    """Content-addressed files of one corpus."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "blobs"

    def path(self, sha256: str) -> Path:
        """The path of a blob, which may not exist yet.

        Raises:
            KeyError: not a SHA-256 digest (names may come from URLs).
        """
        if not _SHA256.fullmatch(sha256):
            raise KeyError(sha256)
        return self._folder / sha256[:2] / sha256

    def read(self, sha256: str) -> bytes:
        """The content of a blob. KeyError when it is not stored."""
        try:
            return self.path(sha256).read_bytes()
        except FileNotFoundError:
            raise KeyError(sha256) from None

    def put(self, sha256: str, content: Path | bytes) -> int:
        """Store a file under its hash and return its size in bytes.

        Raises:
            ValueError: the content does not have that hash (the file changed since it was parsed).
        """
        target = self.path(sha256)
        if target.exists():
            return target.stat().st_size
        data = content if isinstance(content, bytes) else content.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError(f"content of blob {sha256} changed while it was being read")
        write_atomically(target, data)  # half a picture would stay on a full disk
        return len(data)

    def held(self) -> Iterator[str]:
        """Every stored hash."""
        for file in self._folder.glob("??/*"):
            if _SHA256.fullmatch(file.name):
                yield file.name

    def keep_only(self, used: Collection[str]) -> int:
        """Delete all other files, also those of killed writers; return their number."""
        wanted = set(used)
        removed = 0
        for file in self._folder.glob("??/*"):
            if file.name not in wanted:
                file.unlink(missing_ok=True)
                removed += 1
        return removed
