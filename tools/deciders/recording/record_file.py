"""A recorded decision on disk: ``<folder>/<model>/<decision>-<key>.json``, one file each.

The key is a hash of what the model was shown: the rendered prompt, the output's schema, the pictures.
Measures that the prompts do not show (similarities) differ in their last digits between machines, so
they take no part in it.
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
    """What was decided, for how much. ``asked`` and ``variant`` (of the run that asked first) are for people who
    read the file: what was shown is the same whoever asks. Earlier records name no variant."""

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
    """Key of a request and hash of its prompt file. May read the prompt from disk."""
    rendered = render(decision.name, inputs)
    shown = [[hashlib.sha256(picture.content).hexdigest(), picture.label] for picture in pictures]
    parts = [decision.name, rendered.system, rendered.user, schema_text(decision.output), shown]
    text = json.dumps(parts, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_LENGTH], rendered.hash


def model_folder(folder: Path, model: str) -> Path:
    """Where the records of a model lie. The hash keeps names apart that differ only in odd characters."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", model)[:60].strip("._") or "model"
    return folder / f"{slug}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def record_path(folder: Path, decision: str, key: str) -> Path:
    """The file of a record in a model's folder."""
    return folder / f"{decision}-{key}.json"


def write_record(folder: Path, record: Record) -> None:
    """Write a record so that a reader sees all of it or nothing, also after a kill."""
    write_atomically(record_path(folder, record.decision, record.key), record_text(record), durable=True)


def read_record(path: Path) -> Record | None:
    """The record in a file, or None if there is no such file.

    Raises:
        BrokenRecord: the file is no record.
    """
    try:
        return record_from(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return None


def record_from(text: str, where: str) -> Record:
    """A record from its JSON.

    Raises:
        BrokenRecord: it is none.
    """
    try:
        return Record(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise BrokenRecord(f"{where} is no recorded decision ({error}). Delete it and record it again.") from error


def record_text(record: Record) -> str:
    """A record as JSON."""
    return json.dumps(asdict(record), ensure_ascii=False, indent=1, sort_keys=True)
