"""The vote: what each source answered, how near the answers are to each other, and how it went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
from backtrail.state.hm_rag.memory import Position, Vote

POSITIONS = "positions"
"""Key of what was voted on."""
MARKS = {"answered": ("●", "green"), "abstained": ("○", "yellow"), "failed": ("✗", "red")}
_TEXT_CHARACTERS = 300


class View(view.View):
    """The positions with the vote over them."""

    single = True
    template = "vote.html"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self._positions: dict[str, Position] = {}

    def live(self, written: Written) -> Iterator[Text]:
        """Once, when it was held."""
        self._positions.update({held["source"]: held for held in written.records(POSITIONS)})
        if vote := written.writes.get(self.key):
            yield from vote_lines(list(self._positions.values()), vote)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """The vote, with a blank line before it."""
        if vote := shown.values.get(self.key):
            yield Text()
            yield from vote_lines(shown.values.get(POSITIONS, ()), vote)

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """The positions, also before there is a vote."""
        positions, vote = shown.values.get(POSITIONS), shown.values.get(self.key)
        return {POSITIONS: positions, "vote": vote, "voter_marks": MARKS} if positions or vote else None

    def plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Positions and vote."""
        return {POSITIONS: values.get(POSITIONS, []), **super().plain(values)}


def vote_lines(positions: Sequence[Position], vote: Vote) -> Iterator[Text]:
    """Every source with its answer, every pair with its similarity, and the outcome with its reason."""
    for held in positions:
        mark, colour = MARKS[held["status"]]
        line = Text.assemble("    ", (f"{mark} ", colour), (f"{held['source']:<8}", "bold"))
        if held["status"] == "answered":
            option = f"({held['option']}) " if held["option"] else ""
            line.append(f"{option}{clip(held['summary'] or held['text'])}")
            line.append(f"  confidence {held['confidence']:.2f}", "dim")
        else:
            line.append(f"left out: {clip(held['reason'])}", "dim")
        yield line
    for pair in vote["pairs"]:
        measures = f"ROUGE-L {pair['rouge_l']:.2f}, BLEU {pair['bleu']:.2f}, similarity {pair['similarity']:.2f}"
        if pair["same_option"] is not None:
            measures += ", same option" if pair["same_option"] else ", another option"
        agree = ("agree", "green") if pair["agree"] else ("apart", "yellow")
        yield Text.assemble("      ", (f"{' – '.join(pair['sources'])}  ", "dim"), agree, (f"  {measures}", "dim"))
    colour = "green" if vote["outcome"] == "agreed" else "yellow"
    yield Text.assemble("    ", ("vote     ", "dim"), (vote["outcome"], colour), f"  {vote['reason']}")


def clip(text: str) -> str:
    """One line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARACTERS else f"{line[: _TEXT_CHARACTERS - 1]}…"
