"""Read JSON lines, plain or gzipped; a bad line does not affect the others."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.tools.untrusted_values import ValueTooLarge, read_json

MAX_LINE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class BadLine:
    """Invalid line; ``line`` is 1-based."""

    file: Path
    line: int
    reason: str


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]] | BadLine]:
    """Stream the objects of a .jsonl or .jsonl.gz file with line numbers; blank lines are skipped."""
    for entry in raw_lines(path):
        yield entry if isinstance(entry, BadLine) else parse_line(path, *entry)


def raw_lines(path: Path) -> Iterator[tuple[int, bytes] | BadLine]:
    """Stream the raw lines of such a file with line numbers; blank lines are skipped."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            while line := stream.readline(MAX_LINE_BYTES):
                number += 1
                if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                    yield BadLine(path, number, f"longer than {MAX_LINE_BYTES // 2**20} MB")
                    while line and not line.endswith(b"\n"):
                        line = stream.readline(MAX_LINE_BYTES)
                elif line.strip():
                    yield number, line
    except (OSError, EOFError, zlib.error) as error:  # gzip.BadGzipFile is an OSError
        yield BadLine(path, number + 1, f"the file is truncated or cannot be read here: {error}")


def parse_line(path: Path, number: int, line: bytes) -> tuple[int, dict[str, Any]] | BadLine:
    """Parse a line to an object, with its line number."""
    try:
        value = read_json(line.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except UnicodeDecodeError:
        return BadLine(path, number, "not UTF-8")
    except ValueTooLarge as error:
        return BadLine(path, number, str(error))
    except ValueError as error:
        return BadLine(path, number, f"not JSON: {error}")
    if not isinstance(value, dict):
        return BadLine(path, number, f"a JSON object is expected, this is a {type(value).__name__}")
    return number, value
