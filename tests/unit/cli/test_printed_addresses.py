"""Addresses that people are told can be copied: nothing that is no part of one is glued to its end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import backtrail

ROOT = Path(next(iter(backtrail.__path__)))
ROOMS = ("cli", "evals", "graphs", "ingest", "nodes", "server", "state", "tools")
_GLUED = re.compile(r"https?://[^\s\"'<>()|\\]*[\w/}][.,;:!?](?=[\s\"']|$)")
_NAMES = ("address", "url", "link")


def printed(source: str) -> Iterator[str]:
    """The texts of a module but for its docstrings; of what is put into them the name, where it is an address's."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(map(_part, node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    name = ast.unparse(part.value).rpartition(".")[2] if isinstance(part, ast.FormattedValue) else ""
    if name in _NAMES and isinstance(part, ast.FormattedValue) and part.conversion == -1:
        return "http://x"
    return "x"


def glued(source: str) -> list[str]:
    texts = (re.sub(r"\[/?[a-z ]*\]", "", text) for text in printed(source))  # Rich's marks are not printed
    return [found[0] for text in texts for found in _GLUED.finditer(text)]


@pytest.mark.parametrize("room", ROOMS)
def test_no_punctuation_is_glued_to_an_address(room: str) -> None:
    found = {str(file): glued(file.read_text(encoding="utf-8")) for file in (ROOT / room).rglob("*.py")}
    assert {file: texts for file, texts in found.items() if texts} == {}


def test_it_would_be_found() -> None:
    assert glued('print(f"The page is at [bold]{address}[/]. Ctrl-C ends it.")') == ["http://x."]
    assert glued('x = "Write it like https://host.example."') == ["https://host.example."]
    assert glued('"""Of https://host.example."""\nx = "at https://host.example/a.b in all"') == []
