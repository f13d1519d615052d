"""Write the docs' table of methods: ``python -m backtrail.cli.methods_page docs/methods/README.md``."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

from backtrail.graphs.method import Method
from backtrail.graphs.methods import METHODS

HEADER = ("method", "what it does", "searches", "`budget.steps` counts", "settings", "off in `published`", "graph")


def methods_page() -> str:
    """Return the page with one row for each method of ``graphs/methods.py``."""
    lines = [_line(HEADER), _line(["---"] * len(HEADER)), *(_line(_cells(method)) for method in METHODS.values())]
    papers = [f"- `{method.name}`: {method.paper}" for method in METHODS.values() if method.paper]
    return "\n".join(
        [
            "# Methods",
            "",
            "Every method is a compiled graph over the same corpus, reader, budgets, checkpoints and evaluation. It "
            "runs in the variant `ours`, or with `--set variant=published` (`--method fif:published`) as its paper has "
            "it.",
            "",
            *lines,
            "",
            "Papers of the methods:",
            "",
            *papers,
            "",
            "Written by `python -m backtrail.cli.methods_page docs/methods/README.md` from `graphs/methods.py`. "
            "Do not edit.",
            "",
        ]
    )


def _cells(method: Method) -> list[str]:
    return [
        f"[`{method.name}`]({method.page})",
        method.about,
        "the web or a corpus" if method.searches == "web" else "a corpus",
        f"{method.steps.word}{'es' if method.steps.word.endswith('ch') else 's'}" if method.steps else "",
        f"`{method.settings}.*`" if method.settings else "",
        ", ".join(_differences(method)),
        f"[drawing](../architecture/graph-{method.name}.md)",
    ]


def _differences(method: Method) -> list[str]:
    """Names of the values in which the default variant differs from the published one."""
    if method.variants is None:
        return []
    ours, published = method.variants.ours, method.variants.published
    names = [field.name for field in fields(ours)]
    return [name.replace("_", " ") for name in names if getattr(ours, name) != getattr(published, name)]


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(methods_page(), encoding="utf-8")
