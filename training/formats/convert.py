"""Convert rows of training data to the format of another trainer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from backtrail.training.annotate.export import TRAIN, VALIDATION
from backtrail.training.errors import RowsError
from backtrail.training.finetune.rows import Sourced, read_rows
from backtrail.training.formats import llama_factory, ms_swift, openai, trl
from backtrail.training.json_lines import write_lines

Form = Literal["llama-factory", "ms-swift", "trl", "openai"]
FORMS: tuple[Form, ...] = get_args(Form)
_ROW: Mapping[Form, Callable[[Sourced], dict[str, Any]]] = {
    "llama-factory": llama_factory.row,
    "ms-swift": ms_swift.row,
    "trl": trl.row,
    "openai": openai.row,
}


def convert(rows: Path, form: Form, folder: Path) -> dict[str, int]:
    """Convert a file of rows, or both files of an export folder; pictures stay, except for OpenAI.

    Returns:
        The numbers of rows by file written.

    Raises:
        RowsError: a file cannot be used or would be overwritten, or a picture cannot be shown.
    """
    files = [rows] if rows.is_file() else [rows / TRAIN, rows / VALIDATION]
    if folder.resolve() in {file.resolve().parent for file in files}:
        raise RowsError(rows, None, f"is in {folder} and would be overwritten. Name another --out")
    found = {file.name: read_rows(file) for file in files if file == files[0] or _holds_any(file)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, sourced in found.items():
        write_lines(folder / name, (json.dumps(_ROW[form](one), ensure_ascii=False) for one in sourced))
    if form == "llama-factory":
        write_lines(folder / llama_factory.INDEX, [json.dumps(llama_factory.index(list(found)), indent=2)])
    return {name: len(sourced) for name, sourced in found.items()}


def _holds_any(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0
