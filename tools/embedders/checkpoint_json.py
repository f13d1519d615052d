"""JSON files of a checkpoint folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.tools.embedders.errors import EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.untrusted_values import read_json as read_foreign_json


def read_json(path: Path) -> Any:
    """Parse a file. Raises EmbedderWeightsMissing if it is absent, EmbedderUnsupported if it is not JSON."""
    try:
        return read_foreign_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EmbedderWeightsMissing(
            f"The checkpoint folder {str(path.parent)!r} has no {path.name}; check the folder's name."
        ) from None
    except ValueError as error:
        raise EmbedderUnsupported(f"{str(path)!r} is not valid JSON ({error}); download it again.") from error


def read_object(path: Path, *, required: bool = True) -> dict[str, Any]:
    """Parse a file that contains a JSON object; an optional file that is absent gives an empty object."""
    if not required and not path.is_file():
        return {}
    value = read_json(path)
    if not isinstance(value, dict):
        raise EmbedderUnsupported(f"{str(path)!r} contains {type(value).__name__}, not an object.")
    return value
