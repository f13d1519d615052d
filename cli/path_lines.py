"""What a planner decided before or between searches: the VQA planner's path, and OmniSearch's turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from backtrail.state.omnisearch import Turn
from backtrail.state.vqa_planner import ChosenPath

PATHS = {"A": "own knowledge", "B": "search by the picture", "C": "text search", "D": "picture, then text search"}


def path_lines(path: ChosenPath) -> Iterator[Text]:
    """The path that runs with its class, the probabilities of all four, and what else was planned."""
    head = Text.assemble((f"{path['option']}  ", "bold"), (PATHS[path["option"]], "cyan"), f"  ({path['category']})")
    if path["planned"] and path["planned"] != path["option"]:
        head.append(f", where {path['planned']} was planned", "yellow")
    yield head
    if path["probabilities"]:
        shares = "  ".join(f"{letter} {share:.2f}" for letter, share in path["probabilities"].items())
        yield Text.assemble(" " * 6, ("shares   ", "dim"), shares)
    if path["why"]:
        yield Text.assemble(" " * 6, ("why      ", "dim"), path["why"])


def turn_lines(turns: Sequence[Turn]) -> Iterator[Text]:
    """What each turn thought, asked and chose."""
    for turn in turns:
        yield Text.assemble((f"{turn['index']:>3} ", "bold"), (f"{turn['action']:<18}", "cyan"), turn["subquestion"])
        if turn["thought"]:
            yield Text.assemble(" " * 6, ("thought  ", "dim"), turn["thought"])
