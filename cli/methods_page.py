"""Write the docs' list of methods: ``python -m backtrail.cli.methods_page docs/methods/README.md``."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

from backtrail.graphs.method import Method
from backtrail.graphs.methods import METHODS

HEAD = """# Methods

For users who choose a method. Every method is a compiled graph over the same corpus, reader, budgets, checkpoints and
evaluation. It runs in the variant `ours`, or with `--set variant=published` (`--method fif:published`) as its paper has
it; what that variant leaves out is named. The settings of a method begin with its name. Those marked *web* search the
[web](../web.md) or a corpus, the others a corpus.

<!-- run -->
```console
$ backtrail ask "What is Titan?" --method hybrid --corpus examples
```
"""
FOOT = "Written by `python -m backtrail.cli.methods_page docs/methods/README.md` from `graphs/methods.py`. Do not edit."


def methods_page() -> str:
    """Return the page with one item for each method of ``graphs/methods.py``."""
    return "\n".join([HEAD, *map(_item, METHODS.values()), "", FOOT, ""])


def _item(method: Method) -> str:
    web = " *web*" * (method.searches == "web")
    parts = [
        f"- [`{method.name}`]({method.page}){web} ([graph](../architecture/graph-{method.name}.md)): {method.about}",
        f"`budget.steps` counts {_plural(method.steps.word)}" if method.steps else "",
        f"not in `published`: {', '.join(names)}" if (names := _differences(method)) else "",
        f"paper: {method.paper}" if method.paper else "",
    ]
    return "; ".join(filter(None, parts))


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith("ch") else f"{word}s"


def _differences(method: Method) -> list[str]:
    """Names of the values in which the default variant differs from the published one."""
    if method.variants is None:
        return []
    ours, published = method.variants.ours, method.variants.published
    names = [field.name for field in fields(ours)]
    return [name.replace("_", " ") for name in names if getattr(ours, name) != getattr(published, name)]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(methods_page(), encoding="utf-8")
