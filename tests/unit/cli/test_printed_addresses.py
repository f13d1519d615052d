"""Addresses that people are told can be copied: nothing that is no part of one is glued to its end."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import backtrail

ROOT = Path(next(iter(backtrail.__path__)))
ROOMS = ("cli", "evals", "graphs", "ingest", "nodes", "server", "state", "tools")
_GLUED = re.compile(r"https?://[^\s\"'<>()|\\]*[\w/}][.,;:!?](?=[\s\"']|$)")
_NAMES = ("address", "url", "link")


def glued(source: str) -> list[str]:
    """Addresses with something at their end, in the texts of a module but for its docstrings."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        "".join(map(_part, node.values if isinstance(node, ast.JoinedStr) else [node]))
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in docstrings
    ]
    printed = [re.sub(r"\[/?[a-z ]*\]", "", text) for text in texts]  # Rich's marks are not printed
    return [found[0] for text in printed for found in _GLUED.finditer(text)]


def _part(part: ast.expr) -> str:
    """A text as it is; of what is put into one an address where its name says so."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    name = ast.unparse(part.value).rpartition(".")[2] if isinstance(part, ast.FormattedValue) else ""
    plain = isinstance(part, ast.FormattedValue) and part.conversion == -1
    return "http://x" if plain and name in _NAMES else "x"


@pytest.mark.parametrize("room", ROOMS)
def test_no_punctuation_is_glued_to_an_address(room: str) -> None:
    found = {str(file): glued(file.read_text(encoding="utf-8")) for file in (ROOT / room).rglob("*.py")}
    assert {file: texts for file, texts in found.items() if texts} == {}


def test_it_would_be_found() -> None:
    assert glued('print(f"The page is at [bold]{address}[/]. Ctrl-C ends it.")') == ["http://x."]
    assert glued('x = "Write it like https://host.example."') == ["https://host.example."]
    assert glued('"""Of https://host.example."""\nx = "at https://host.example/a.b in all"') == []
