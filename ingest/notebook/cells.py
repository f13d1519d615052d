"""The cells of a notebook file, of formats 3 and 4, as far as they can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backtrail.ingest.bounded_bytes import bounded_bytes
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.source import MAX_BYTES
from backtrail.state.text.whitespace import bound_whitespace
from backtrail.tools.foreign_values import ValueTooLarge, read_json

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|.\x08")
_OVERWRITTEN = re.compile(r"^[^\n]*\r(?!\n)", re.MULTILINE)


@dataclass(frozen=True)
class Output:
    """One output by media type: text, or base64 for pictures."""

    contents: dict[str, str]


@dataclass(frozen=True)
class Cell:
    """One cell: its 1-based number, its kind ("markdown", "code", "raw", "heading"), its source and outputs."""

    number: int
    kind: str
    source: str
    level: int = 1
    outputs: list[Output] = field(default_factory=list)
    attachments: dict[str, str] = field(default_factory=dict)


def read_notebook(path: Path) -> tuple[dict[str, Any], list[Cell]]:
    """The notebook's metadata and its cells.

    Raises:
        UnreadableSource: it cannot be opened, is larger than 64 MB, nested too deep, or no notebook.
    """
    content = bounded_bytes(path, MAX_BYTES, "a notebook", "Clear large outputs and save it again")
    try:
        notebook = read_json(content)
    except ValueTooLarge as error:
        raise UnreadableSource(str(path), str(error), "Clear its outputs and metadata and save it again") from error
    except ValueError as error:
        raise _no_notebook(path, f"it is not JSON: {error}") from error
    cells = _listed(notebook)
    if cells is None:
        raise _no_notebook(path, "it has no cells")
    metadata = notebook.get("metadata")
    found = [_cell(cell, number) for number, cell in enumerate(cells, start=1) if isinstance(cell, dict)]
    return metadata if isinstance(metadata, dict) else {}, found


def _no_notebook(path: Path, why: str) -> UnreadableSource:
    problem = f"this is no Jupyter notebook ({why})"[:200]
    return UnreadableSource(str(path), problem, "Open it in Jupyter and save it again")


def _listed(notebook: Any) -> list[Any] | None:
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return notebook["cells"]
    sheets = notebook.get("worksheets")  # format 3
    if not isinstance(sheets, list):
        return None
    return [cell for sheet in sheets if isinstance(sheet, dict) for cell in _as_list(sheet.get("cells"))]


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _cell(cell: dict[str, Any], number: int) -> Cell:
    outputs = (_output(output) for output in _as_list(cell.get("outputs")) if isinstance(output, dict))
    level = cell.get("level")
    return Cell(
        number,
        str(cell.get("cell_type", "")),
        text_of(cell.get("source", cell.get("input", ""))),
        level if isinstance(level, int) and 1 <= level <= 6 else 1,
        [output for output in outputs if output.contents],
        dict(_attachments(cell.get("attachments"))),
    )


def text_of(value: Any) -> str:
    """Text that is written as one string or as a list of lines."""
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    if not isinstance(value, str):
        return ""
    return bound_whitespace(value.encode("utf-8", "replace").decode())  # JSON can escape lone surrogates


def _output(output: dict[str, Any]) -> Output:
    kind = output.get("output_type")
    if kind == "stream":
        return Output({"text/plain": printed(text_of(output.get("text")))})
    if kind in ("error", "pyerr"):
        said = f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}"
        return Output({"text/plain": printed(said)})
    bundle = output.get("data")
    if isinstance(bundle, dict):
        return Output({name: text_of(content) for name, content in bundle.items() if text_of(content)})
    old = {"png": "image/png", "jpeg": "image/jpeg", "html": "text/html", "text": "text/plain"}
    return Output({media: text_of(output.get(name)) for name, media in old.items() if text_of(output.get(name))})


def _attachments(value: Any) -> Iterator[tuple[str, str]]:
    for name, bundle in value.items() if isinstance(value, dict) else ():
        for media, content in bundle.items() if isinstance(bundle, dict) else ():
            if str(media).startswith("image/"):
                yield str(name), text_of(content)


def printed(text: str) -> str:
    """What a terminal would show: no colours, of lines that were written over only the last."""
    return _OVERWRITTEN.sub("", _TERMINAL.sub("", text))
