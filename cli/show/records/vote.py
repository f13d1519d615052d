"""View of the vote: the answer of each source, the similarity of answers, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from backtrail.cli.show.records import view
from backtrail.cli.show.records.view import Shown, Written
from backtrail.state.hm_rag.memory import Position, Vote

POSITIONS = "positions"
"""Key of the positions, which the vote compares."""
MARKS = {"answered": ("●", "green"), "abstained": ("○", "yellow"), "failed": ("✗", "red")}
_TEXT_CHARACTERS = 300


class View(view.View):
    """Positions and their vote."""

    single = True
    template = "vote.html"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self._positions: dict[str, Position] = {}

    def live(self, written: Written) -> Iterator[Text]:
        """Yield the vote once it is known."""
        self._positions.update({position["source"]: position for position in written.records(POSITIONS)})
        if vote := written.writes.get(self.key):
            yield from vote_lines(list(self._positions.values()), vote)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """Yield the vote after a blank line."""
        if vote := shown.values.get(self.key):
            yield Text()
            yield from vote_lines(shown.values.get(POSITIONS, ()), vote)

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the positions, also before the vote."""
        positions, vote = shown.values.get(POSITIONS), shown.values.get(self.key)
        return {POSITIONS: positions, "vote": vote, "voter_marks": MARKS} if positions or vote else None

    def plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return positions and vote."""
        return {POSITIONS: values.get(POSITIONS, []), **super().plain(values)}


def vote_lines(positions: Sequence[Position], vote: Vote) -> Iterator[Text]:
    """Yield each source's answer, each pair's similarity, and the outcome with its reason."""
    for position in positions:
        mark, colour = MARKS[position["status"]]
        line = Text.assemble("    ", (f"{mark} ", colour), (f"{position['source']:<8}", "bold"))
        if position["status"] == "answered":
            option = f"({position['option']}) " if position["option"] else ""
            line.append(f"{option}{clip(position['summary'] or position['text'])}")
            line.append(f"  confidence {position['confidence']:.2f}", "dim")
        else:
            line.append(f"left out: {clip(position['reason'])}", "dim")
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
    """Shorten text to one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARACTERS else f"{line[: _TEXT_CHARACTERS - 1]}…"
