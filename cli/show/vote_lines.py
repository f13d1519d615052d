"""What each source answered, how near the answers are to each other, and how the vote went, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from backtrail.state.hm_rag.memory import AgentReply, Position, Vote

MARKS = {"answered": ("●", "green"), "abstained": ("○", "yellow"), "failed": ("✗", "red")}
_TEXT_CHARACTERS = 300


def reply_lines(reply: AgentReply) -> Iterator[Text]:
    """What one agent makes of one sub-question."""
    mark, colour = MARKS[reply["status"]]
    found = reply["retrieved"]
    line = Text.assemble("    ", (f"{mark} ", colour), (f"{reply['source']:<8}", "bold"))
    line.append(_clip(reply["text"] or reply["reason"]), "default" if reply["text"] else "dim")
    line.append(f"  {_counts(len(found['components']), len(found['triplets']))}", "dim")
    yield line


def vote_lines(positions: Sequence[Position], vote: Vote) -> Iterator[Text]:
    """Every source with its answer, every pair with its similarity, and the outcome with its reason."""
    for held in positions:
        mark, colour = MARKS[held["status"]]
        line = Text.assemble("    ", (f"{mark} ", colour), (f"{held['source']:<8}", "bold"))
        if held["status"] == "answered":
            option = f"({held['option']}) " if held["option"] else ""
            line.append(f"{option}{_clip(held['summary'] or held['text'])}")
            line.append(f"  confidence {held['confidence']:.2f}", "dim")
        else:
            line.append(f"left out: {_clip(held['reason'])}", "dim")
        yield line
    for pair in vote["pairs"]:
        measures = f"ROUGE-L {pair['rouge_l']:.2f}, BLEU {pair['bleu']:.2f}, similarity {pair['similarity']:.2f}"
        if pair["same_option"] is not None:
            measures += ", same option" if pair["same_option"] else ", another option"
        agree = ("agree", "green") if pair["agree"] else ("apart", "yellow")
        yield Text.assemble("      ", (f"{' – '.join(pair['sources'])}  ", "dim"), agree, (f"  {measures}", "dim"))
    colour = "green" if vote["outcome"] == "agreed" else "yellow"
    yield Text.assemble("    ", ("vote     ", "dim"), (vote["outcome"], colour), f"  {vote['reason']}")


def _counts(components: int, triplets: int) -> str:
    parts = [f"{triplets} triplets"] if triplets else []
    return ", ".join([*parts, f"{components} components"])


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARACTERS else f"{line[: _TEXT_CHARACTERS - 1]}…"
