"""Files of recorded decisions: ``<folder>/<model>/<decision>-<key>.json``, one each.

The key is a hash of the model's input: the rendered prompt, the output's schema, the pictures. Similarities, which
prompts do not show, are not part of it: their last digits differ between machines.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from backtrail.prompts.render import render
from backtrail.state.decision import Decision
from backtrail.state.usage import Charge
from backtrail.state.variant import VariantName
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.deciders.errors import BrokenRecord
from backtrail.tools.deciders.json_schema import schema_text
from backtrail.tools.deciders.protocol import PictureAttachment

_KEY_LENGTH = 24


@dataclass(frozen=True)
class Record:
    """A decision with its charge.

    ``asked`` and ``variant`` (of the first run) are for people who read the file. Older records have no variant."""

    decision: str
    model: str
    key: str
    prompt: str
    asked: str
    output: dict[str, Any]
    charge: Charge
    notes: list[str]
    variant: VariantName | None = None


def record_key(
    decision: Decision[Any, Any], inputs: BaseModel, pictures: Sequence[PictureAttachment]
) -> tuple[str, str]:
    """Return the key of a request and the hash of its prompt file. May read the prompt from disk."""
    rendered = render(decision.name, inputs)
    shown = [[hashlib.sha256(picture.content).hexdigest(), picture.label] for picture in pictures]
    parts = [decision.name, rendered.system, rendered.user, schema_text(decision.output), shown]
    text = json.dumps(parts, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_LENGTH], rendered.hash


def model_folder(folder: Path, model: str) -> Path:
    """Return the folder of a model's records. The hash distinguishes names that give the same slug."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", model)[:60].strip("._") or "model"
    return folder / f"{slug}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def record_path(folder: Path, decision: str, key: str) -> Path:
    """Return the file of a record in a model's folder."""
    return folder / f"{decision}-{key}.json"


def write_record(folder: Path, record: Record) -> None:
    """Write a record atomically, also if the process is killed."""
    write_atomically(record_path(folder, record.decision, record.key), record_text(record), durable=True)


def read_record(path: Path) -> Record | None:
    """Return the record in a file, or None if there is no such file.

    Raises:
        BrokenRecord: the file is not a record.
    """
    try:
        return record_from(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return None


def record_from(text: str, where: str) -> Record:
    """Parse a record from JSON.

    Raises:
        BrokenRecord: the text is not a record.
    """
    try:
        return Record(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise BrokenRecord(f"{where} is not a recorded decision ({error}). Delete it and record it again.") from error


def record_text(record: Record) -> str:
    """Return a record as JSON."""
    return json.dumps(asdict(record), ensure_ascii=False, indent=1, sort_keys=True)
