"""Reader of the cells of a notebook file."""

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
from backtrail.tools.untrusted_values import ValueTooLarge, read_json

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
"""Colours and the like, printed in 14 of 384 notebooks."""


@dataclass(frozen=True)
class Cell:
    """One cell: 1-based number, kind ("markdown", "code", "raw"), source, attached pictures by name.

    Each output maps media types to text, or base64 for pictures.
    """

    number: int
    kind: str
    source: str
    outputs: list[dict[str, str]] = field(default_factory=list)
    attachments: dict[str, str] = field(default_factory=dict)


def read_notebook(path: Path) -> tuple[dict[str, Any], list[Cell]]:
    """Return a notebook's metadata and cells.

    Raises:
        UnreadableSource: it cannot be opened, is larger than 64 MB, nested too deep, or not a notebook.
    """
    content = bounded_bytes(path, MAX_BYTES, "a notebook", "Clear large outputs and save it again")
    why = "it has no cells"
    try:
        notebook = read_json(content)
    except ValueTooLarge as error:
        raise UnreadableSource(str(path), str(error), "Clear its outputs and metadata and save it again") from error
    except ValueError as error:
        notebook, why = None, f"it is not JSON: {error}"
    cells = _mapping(notebook).get("cells")
    if not isinstance(cells, list):
        problem = f"this is not a Jupyter notebook ({why})"[:200]
        raise UnreadableSource(str(path), problem, "Open it in a newer Jupyter and save it again")
    found = [_cell(cell, number) for number, cell in enumerate(cells, start=1) if isinstance(cell, dict)]
    return _mapping(_mapping(notebook).get("metadata")), found


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _cell(cell: dict[str, Any], number: int) -> Cell:
    listed = cell.get("outputs")
    outputs = [_output(_mapping(output)) for output in (listed if isinstance(listed, list) else ())]
    attached = dict(_attachments(_mapping(cell.get("attachments"))))
    return Cell(number, str(cell.get("cell_type", "")), text_of(cell.get("source")), outputs, attached)


def text_of(value: Any) -> str:
    """Return text stored as one string or as a list of lines; "" for other values."""
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    if not isinstance(value, str):
        return ""
    return bound_whitespace(value.encode("utf-8", "replace").decode())  # JSON can escape lone surrogates


def _output(output: dict[str, Any]) -> dict[str, str]:
    kind = output.get("output_type")
    if kind == "stream":
        return {"text/plain": _printed(text_of(output.get("text")))}
    if kind == "error":
        return {"text/plain": _printed(f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}")}
    found = {name: text for name, content in _mapping(output.get("data")).items() if (text := text_of(content))}
    return {name: _printed(text) if name == "text/plain" else text for name, text in found.items()}


def _attachments(bundles: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, bundle in bundles.items():
        for media, content in _mapping(bundle).items():
            if str(media).startswith("image/"):
                yield str(name), text_of(content)


def _printed(text: str) -> str:
    """Return text as a terminal shows it, without colours."""
    return _TERMINAL.sub("", text)
