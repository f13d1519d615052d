"""Draw every method's graph: ``python -m backtrail.cli.draw docs/architecture`` writes one page each.

The drawings are Mermaid text generated from the compiled graphs, so they match what runs.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path

from backtrail.graphs.methods import METHODS, find_method
from backtrail.tools.toolbox import Toolbox


def drawing(method: str) -> str:
    """Return the page of a method: the first line of its graph file's docstring and its drawing."""
    found = find_method(method)
    graph_builder = found.build(Toolbox())
    about = inspect.getdoc(importlib.import_module(f"backtrail.graphs.{method}")) or method
    title = about.partition("\n")[0]
    graph = graph_builder.compile(name=method).get_graph(xray=1).draw_mermaid()
    graph = re.sub(r"\A---.*?^---\n|^\tclassDef [^\n]*\n|:::\w+", "", graph, flags=re.DOTALL | re.MULTILINE)  # colours
    return (
        f"# {title}\n\n[The method](../methods/{found.page}), drawn by `make generated`.\n\n"
        f"```mermaid\n{graph.strip()}\n```\n"
    )


def page(folder: Path, method: str) -> Path:
    """Return the path of a method's page."""
    return folder / f"graph-{method}.md"


def draw_all(folder: Path) -> None:
    """Write the pages of all methods."""
    folder.mkdir(parents=True, exist_ok=True)
    for method in METHODS:
        page(folder, method).write_text(drawing(method), encoding="utf-8")


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]))
