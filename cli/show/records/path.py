"""View of the path that the VQA planner chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
from backtrail.state.vqa_planner.memory import ChosenPath

PATHS = {"A": "own knowledge", "B": "search by the picture", "C": "text search", "D": "picture, then text search"}


class View(view.View):
    """Path of a run."""

    single = True
    template = "path.html"

    def live(self, written: Written) -> Iterator[Text]:
        """Yield the path when it is chosen."""
        if path := written.writes.get(self.key):
            yield from path_lines(path)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """The path."""
        if path := shown.values.get(self.key):
            yield from path_lines(path)

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """The path."""
        path = shown.values.get(self.key)
        return {"path": path, "path_words": PATHS} if path else None


def path_lines(path: ChosenPath) -> Iterator[Text]:
    """Yield the path with its class, the probabilities of all four, and a differing plan."""
    head = Text.assemble((f"{path['option']}  ", "bold"), (PATHS[path["option"]], "cyan"), f"  ({path['category']})")
    if path["planned"] and path["planned"] != path["option"]:
        head.append(f", where {path['planned']} was planned", "yellow")
    yield head
    if path["probabilities"]:
        shares = "  ".join(f"{letter} {share:.2f}" for letter, share in path["probabilities"].items())
        yield Text.assemble(" " * 6, ("shares   ", "dim"), shares)
    if path["why"]:
        yield Text.assemble(" " * 6, ("why      ", "dim"), path["why"])
