"""A hop in a few lines: what was looked for, from where, how, what came of it, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from backtrail.cli.show.console import OUTCOMES
from backtrail.cli.show.titles import Titles
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Hop, Strategy
from backtrail.state.subquery import Subquery

REASONING = {"none": "vectors", "component": "reasoning on components", "both": "reasoning on both stages"}
STATUSES = {"open": ("○", "yellow"), "answered": ("●", "green"), "given_up": ("×", "red")}


def strategy_words(strategy: Strategy | None) -> str:
    """``global · component · vectors``."""
    if strategy is None:
        return ""
    return f"{strategy['scope']} · {strategy['granularity']} · {REASONING[strategy['reasoning']]}"


def hop_lines(hop: Hop, titles: Titles, evidence: Mapping[str, Evidence], found: int = 3) -> Iterator[Text]:
    """The lines of one step.

    Args:
        found: how many components to name.
    """
    mark, colour = OUTCOMES[hop["outcome"]]
    if hop["kind"] == "stop":
        mark, colour = "■", "cyan"
    head = Text.assemble((f"{hop['step']:>3} ", "bold"), (f"{mark} ", colour), (f"{hop['kind']:<9}", colour))
    head.append(hop["subquery"] or hop["reason"])
    yield head
    if hop["strategy"]:
        yield _line("how", strategy_words(hop["strategy"]))
    if hop["anchors"]:
        anchors = ", ".join(titles.of(document) for document in hop["anchors"])
        yield _line("from", f"step {hop['anchor_step']}: {anchors}")
    if hop["components"]:
        yield _line("found", _components(hop, titles, evidence, found))
    elif hop["documents"]:
        yield _line("found", ", ".join(titles.of(scored["id"]) for scored in hop["documents"]))
    if hop["resolved"]:
        yield _line("answers", ", ".join(hop["resolved"]), "green")
    if hop["kind"] != "stop" and hop["reason"]:
        yield _line(hop["outcome"], hop["reason"], colour)
    if hop["why"]:
        yield _line("why", hop["why"])


def _line(label: str, text: str, style: str = "dim") -> Text:
    return Text.assemble(" " * 6, (f"{label:<9}", style), (text, "default" if style == "dim" else style))


def _components(hop: Hop, titles: Titles, evidence: Mapping[str, Evidence], shown: int) -> str:
    named: list[str] = []
    for scored in hop["components"][:shown]:
        known = evidence.get(scored["id"])
        name = f"{titles.of(known['document'])} ({known['modality']})" if known else scored["id"]
        named.append(f"{name} {scored['score']:.2f}")
    more = len(hop["components"]) - shown
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def subquery_lines(subqueries: list[Subquery]) -> Iterator[Text]:
    """The plan with the status and answer of each subquery."""
    for subquery in subqueries:
        mark, colour = STATUSES[subquery["status"]]
        line = Text.assemble("    ", (f"{mark} ", colour), (f"{subquery['id']} ", "bold"), subquery["text"])
        if subquery["depends_on"]:
            line.append(f"  after {', '.join(subquery['depends_on'])}", "dim")
        if subquery["answer"]:
            line.append(f"  → {subquery['answer']}", "green")
        yield line
