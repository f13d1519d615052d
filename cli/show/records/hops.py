"""View of hops: subquery, anchors, strategy, outcome and reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from backtrail.cli.show.console import OUTCOMES
from backtrail.cli.show.edge_names import edge_names
from backtrail.cli.show.records import view
from backtrail.cli.show.records.rails import Rails, rails
from backtrail.cli.show.records.view import Shown, Written
from backtrail.cli.show.titles import Titles
from backtrail.state.computation import Computation
from backtrail.state.evidence import Evidence
from backtrail.state.gathering import Gathering
from backtrail.state.hop import Hop, Scored, Strategy

REASONING = {"none": "vectors", "component": "reasoning on components", "both": "reasoning on both stages"}

VERDICTS = {
    "success": "found",
    "failure": "cold",
    "refused": "refused, as it failed before",
    "plan": "",
    "stop": "",
}
"""Display words of a hop's outcome; plans and stops have none."""

_ACTIONS = {"plan": "Planned again", "compute": "Computed over tables", "gather": "Gathered", "summarise": "Summarised"}
_NAMED = 5
"""Maximum number of components named per hop (ours)."""
_ALSO = 2
"""Maximum number of duplicates named per component (ours)."""


class View(view.View):
    """Hops, and the number of refused routes."""

    template = "hops.html"

    def live(self, written: Written) -> Iterator[Text]:
        """Yield each hop when its outcome is known."""
        for hop in written.records(self.key):
            yield from hop_lines(hop, written.titles, written.evidence)

    def lines(self, shown: Shown) -> Iterator[Text]:
        """Yield each hop after a blank line."""
        for hop in shown.values.get(self.key, ()):
            yield Text()
            yield from hop_lines(hop, shown.titles, shown.evidence, found=_NAMED)

    def notes(self, shown: Shown) -> Iterator[Text]:
        """Yield the number of refused routes."""
        if refused := _refused(shown.values.get(self.key, ())):
            yield Text(f"{len(refused)} routes refused, because they had failed before.", "yellow")

    def page(self, shown: Shown) -> Mapping[str, Any] | None:
        """Return the hops with helpers of the template."""
        hops = shown.values.get(self.key)
        if not hops:
            return None

        def titles_of(documents: Sequence[str]) -> str:
            return ", ".join(shown.titles.of(document) for document in documents)

        words = {
            "strategy_words": strategy_words,
            "heading": heading,
            "verdicts": VERDICTS,
            "titles_of": titles_of,
            "edge_words": edge_names,
            "rows_used": rows_used,
            "requested": requested,
        }
        return {"hops": hops, "rails": rails(hops), **words}

    def plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the hops and the refused steps."""
        return {**super().plain(values), "refused": _refused(values.get(self.key, ()))}

    def documents(self, values: Mapping[str, Any]) -> list[str]:
        """Return the anchors and the documents found."""
        hops: Sequence[Hop] = values.get(self.key, ())
        found = [document for hop in hops for document in hop["anchors"]]
        return found + [scored["id"] for hop in hops for scored in hop["documents"]]


def heading(hop: Hop, rail: Rails, titles_of: Callable[[Sequence[str]], str]) -> str:
    """Describe what a hop did."""
    if hop["kind"] != "traverse":
        return _ACTIONS.get(hop["kind"], "Stopped")
    strategy = hop["strategy"]
    if not hop["anchors"]:
        return f"Searched the whole corpus by {strategy['granularity']}" if strategy else "Searched the whole corpus"
    back = f"Back to step {rail.back}, " if rail.back is not None else ""
    along = f"{back}along the links of {titles_of(hop['anchors'])}"
    return along[:1].upper() + along[1:]


def rows_used(computation: Computation) -> str:
    """Return ``36 of 193 rows, 2 unreadable``."""
    unreadable = f", {computation['unreadable']} unreadable" if computation["unreadable"] else ""
    return f"{computation['selected']} of {computation['examined']} rows{unreadable}"


def requested(gathering: Gathering) -> str:
    """Return ``documents: guide/*``."""
    request = gathering["request"]
    after = f", after {request['after']}" if request["after"] is not None else ""
    return f"{request['kind']}: {request['target']}{after}"


def _refused(hops: Sequence[Hop]) -> list[int]:
    return [hop["step"] for hop in hops if hop["outcome"] == "refused"]


def strategy_words(strategy: Strategy | None) -> str:
    """Format a strategy: ``global · component · vectors``."""
    if strategy is None:
        return ""
    return f"{strategy['scope']} · {strategy['granularity']} · {REASONING[strategy['reasoning']]}"


def hop_lines(hop: Hop, titles: Titles, evidence: Mapping[str, Evidence], found: int = 3) -> Iterator[Text]:
    """Yield the lines of one hop.

    Args:
        found: maximum number of components to name.
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
    if edges := hop.get("edges"):
        yield _line("by", edge_names(edges))
    if computation := hop.get("computation"):
        yield _line("query", f"{computation['operation']} of {computation['query']}")
        yield _line("rows", rows_used(computation))
    if gathering := hop.get("gathering"):
        yield _line("asked", requested(gathering))
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
        named.append(f"{name} {scored['score']:.2f}{_also(scored, known)}")
    more = len(hop["components"]) - shown
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def _also(scored: Scored, known: Evidence | None) -> str:
    """Name the duplicates of a component, which have no rank."""
    others = known.get("duplicates", []) if known else []
    others = others or scored.get("duplicates", [])
    more = f" and {len(others) - _ALSO} more" if len(others) > _ALSO else ""
    return f", also at {', '.join(others[:_ALSO])}{more}" if others else ""
