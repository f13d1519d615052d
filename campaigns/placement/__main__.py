"""Write the sample; see the package."""

from __future__ import annotations

import ast
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from campaigns.placement import __doc__ as description

ROOMS = ("api", "cli", "evals", "graphs", "ingest", "language", "nodes", "prompts", "rules", "server", "state", "tools",
         "training")  # fmt: skip
PIECES = 20
LINES = range(6, 41)


class Piece(NamedTuple):
    """A function or class of the product."""

    file: str
    name: str
    text: str


def main() -> None:
    """Sample one piece of each file drawn, with its own name and its module's name masked."""
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        raise SystemExit(description)
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["git", "ls-files", *ROOMS], capture_output=True, text=True, check=True).stdout.split("\n")
    files = sorted(file for file in listed if file.endswith(".py"))
    draw = random.Random(int(sys.argv[1]))
    pieces: list[Piece] = []
    for file in draw.sample(files, len(files)):
        if (found := _pieces(file)) and len(pieces) < PIECES:
            pieces.append(draw.choice(found))
    shutil.copy("README.md", folder)
    (folder / "tree.txt").write_text("\n".join(files) + "\n", encoding="utf-8")
    (folder / "pieces.md").write_text("".join(map(_shown, range(1, PIECES + 1), pieces)), encoding="utf-8")
    key = [[number, piece.file, piece.name] for number, piece in enumerate(pieces, start=1)]
    (folder / "key.json").write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def _pieces(file: str) -> list[Piece]:
    found: list[Piece] = []
    source = Path(file).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            text = ast.get_source_segment(source, node) or ""
            if len(text.splitlines()) in LINES:
                found.append(Piece(file, node.name, _masked(text, file, node.name)))
    return found


def _masked(text: str, file: str, name: str) -> str:
    """The piece with its own name and its module's name masked."""
    for hidden in (name, Path(file).stem):
        text = re.sub(rf"\b{re.escape(hidden)}\b", "MASKED", text)
    return text


def _shown(number: int, piece: Piece) -> str:
    return f"## Piece {number}\n\n```python\n{piece.text}\n```\n\n"


if __name__ == "__main__":
    main()
