"""Read files of official releases: JSON lines and JSON, plain or gzipped. Errors name file and line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError


def found(folder: Path, *names: str) -> Path:
    """Return the first of the named files that exists, plain or with ``.gz``.

    Raises:
        FormatError: none exists; lists the names.
    """
    for name in names:
        for candidate in (folder / name, folder / f"{name}.gz"):
            if candidate.is_file():
                return candidate
    raise FormatError(folder, None, f"has none of the files {', '.join(names)} (plain or .gz)")


def read_json_lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line numbers (1-based) and objects; empty lines are skipped.

    Raises:
        FormatError: a line is not a JSON object, or the file cannot be read.
    """
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8") as text:
            for number, line in enumerate(text, start=1):
                if line.strip():
                    yield number, _object(file, number, line)
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise FormatError(file, None, f"cannot be read ({error})") from error


def read_json(file: Path) -> Any:
    """Read one JSON value.

    Raises:
        FormatError: the file is not JSON, or cannot be read.
    """
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8") as text:
            return json.load(text)
    except json.JSONDecodeError as error:
        raise FormatError(file, error.lineno, f"is not JSON ({error.msg})") from error
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise FormatError(file, None, f"cannot be read ({error})") from error


def field(line: dict[str, Any], name: str, file: Path, number: int | None) -> Any:
    """Return a required field.

    Raises:
        FormatError: it is missing.
    """
    if name not in line:
        raise FormatError(file, number, f"lacks the field {name!r}")
    return line[name]


def _object(file: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(file, number, f"is not JSON ({error.msg})") from error
    if not isinstance(value, dict):
        raise FormatError(file, number, "is not a JSON object")
    return value
