"""JSON lines files: appended line by line, tolerating a line cut by a kill, or written atomically."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from backtrail.tools.atomic_file import replacing


class JsonLines:
    """A file to which lines are appended. The caller holds the lock of the folder."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def mend(self) -> None:
        """Drop an incomplete last line, left by a killed process."""
        if not self.file.exists() or not (content := self.file.read_bytes()) or content.endswith(b"\n"):
            return
        with self.file.open("r+b") as torn:
            torn.truncate(content.rfind(b"\n") + 1)

    def read(self) -> list[tuple[int, str]]:
        """Return number and text of each non-empty line; an incomplete last line is left out."""
        if not self.file.exists():
            return []
        lines = self.file.read_bytes().split(b"\n")[:-1]
        return [(number, line.decode("utf-8")) for number, line in enumerate(lines, start=1) if line.strip()]

    def append(self, line: str) -> None:
        """Append a line. Once this returns, a kill of the process cannot lose it."""
        with self.file.open("ab", buffering=0) as file:
            file.write(line.encode() + b"\n")


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write a file of lines atomically."""
    with replacing(file) as out:
        out.writelines(f"{line}\n".encode() for line in lines)
