"""Progress events of a node's update, for stream mode "custom"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from backtrail.language.counted_nouns import counted
from backtrail.nodes.reading.component_views import clip
from backtrail.state.chat.progress import PROGRESS, Cost, Event, FoundPiece, Progress
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Strategy
from backtrail.state.usage import Charge, total_usage

MOST_FOUND = 5
CHARACTERS = 300
"""Most characters of each text; the record in the state is complete."""

Record = Mapping[str, Any]


@dataclass(frozen=True)
class EventFields:
    """Contents of one event. ``found`` are ids of components, best first."""

    event: Event
    sought: str = ""
    where: str = ""
    step: int = -1
    found: Sequence[str] = field(default_factory=list[str])
    outcome: str = ""
    judged: str = ""


def progress(node: str, before: Mapping[str, Any], writes: Mapping[str, Any]) -> Iterator[Progress]:
    """Yield the events of a node's writes.

    Args:
        before: the state that the node read, for its evidence and its ledger.
    """
    known: dict[str, Evidence] = {**(before.get("evidence") or {}), **_plain(writes.get("evidence"))}
    ledger: dict[str, Charge] = {**(before.get("usage") or {}), **_plain(writes.get("usage"))}
    cost = _cost(ledger)
    for key, build in RECORDS.items():
        already = [build(record) for record in _records(before.get(key))]
        for record in _records(writes.get(key)):
            fields = build(record)
            if fields is not None and fields not in already:
                yield {
                    "type": PROGRESS, "event": fields.event, "node": node, "step": fields.step,
                    "sought": clip(fields.sought, CHARACTERS), "where": clip(fields.where, CHARACTERS),
                    "found": [_piece(one, known.get(one)) for one in fields.found[:MOST_FOUND]],
                    "found_count": len(fields.found), "outcome": fields.outcome,
                    "judged": clip(fields.judged, CHARACTERS), "cost": cost,
                }  # fmt: skip


# --- records -----------------------------------------------------------------------------------------
def _subquery(one: Record) -> EventFields:
    return EventFields("plan", one["text"], outcome=one["status"], judged=one["answer"])


def _path(one: Record) -> EventFields:
    return EventFields("plan", where=f"path {one['option']}", judged=one["why"])


def _round(one: Record) -> EventFields:
    return EventFields("plan", "; ".join(one["queries"]), one["action"], one["index"], one["found"], judged=one["why"])


def _turn(one: Record) -> EventFields:
    return EventFields("plan", one["subquestion"] or one["query"], one["action"], one["index"], judged=one["thought"])


def _route_taken(one: Record) -> EventFields:
    route = one["route"]
    return EventFields("seek", route["subquery"], _where(route["strategy"], route["anchors"]), route["step"])


def _task(one: Record) -> EventFields:
    sought = one.get("query") or one.get("text") or ""
    return EventFields("seek", str(sought), str(one.get("kind") or one.get("source") or ""), int(one.get("round", -1)))


def _hop(one: Record) -> EventFields | None:
    if one["kind"] == "stop":
        return None  # the answer follows
    found = [scored["id"] for scored in one["components"] or one["documents"]]
    where = _where(one["strategy"], one["anchors"])
    event: Event = "plan" if one["kind"] == "plan" else "found"
    return EventFields(event, one["subquery"], where, one["step"], found, one["outcome"], one["reason"])


def _search(one: Record) -> EventFields:
    return EventFields("found", one["query"], one["kind"], one["round"], one["found"], one["outcome"], one["reason"])


def _attempt(one: Record) -> EventFields:
    judged = {None: "not judged", True: "supported", False: "unsupported"}[one["grounded"]]
    return EventFields("found", one["query"], "documents", one["round"], one["relevant"], judged, one["why"])


def _planning_node(one: Record) -> EventFields | None:
    if one["kind"] in ("question", "stop"):
        return None
    where = one["within"] if one["kind"] == "retrieval" else one["kind"]
    return EventFields("found", one["instruction"], where, one["step"], one["sources"], one["status"], one["content"])


def _reply(one: Record) -> EventFields:
    found = [scored["id"] for scored in one["retrieved"]["components"]]
    judged = one["text"] or one["reason"]
    return EventFields("found", one["question"], one["source"], found=found, outcome=one["status"], judged=judged)


def _vote(one: Record) -> EventFields:
    return EventFields("plan", where="vote", outcome=one["outcome"], judged=one["reason"])


def _answer(one: Record) -> EventFields:
    cited = list(dict.fromkeys(citation["component"] for citation in one["citations"]))
    outcome = "abstained" if one["abstained"] else "answered"
    return EventFields("answer", found=cited, outcome=outcome, judged=one.get("short") or one["text"])


RECORDS: Mapping[str, Callable[[Record], EventFields | None]] = {
    "subqueries": _subquery, "path": _path, "rounds": _round, "turns": _turn, "hop": _route_taken, "tasks": _task,
    "task": _task, "hops": _hop, "searches": _search, "attempts": _attempt, "planning_graph": _planning_node,
    "replies": _reply, "vote": _vote, "answer": _answer,
}  # fmt: skip
"""Event builders by state key, in the order of a node's events."""


def _where(strategy: Strategy | None, anchors: Sequence[str]) -> str:
    if strategy is None:
        return ""
    start = f"from {counted(len(anchors), 'document')}" if anchors else "in the whole corpus"
    return f"{start}, {strategy['scope']}, by {strategy['granularity']}"


def _records(written: Any) -> Iterator[Record]:
    """Yield one record, or several; an ``Overwrite`` has none."""
    several = cast("list[Any]", written if isinstance(written, list) else [written])
    yield from (cast("Record", one) for one in several if isinstance(one, Mapping))


def _plain(written: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", written) if isinstance(written, dict) else {}


def _piece(id_: str, evidence: Evidence | None) -> FoundPiece:
    if evidence is None:
        return {"id": id_, "title": "", "modality": "", "snippet": ""}
    title, snippet = clip(evidence["title"], CHARACTERS), clip(evidence["snippet"], CHARACTERS)
    return {"id": id_, "title": title, "modality": evidence["modality"], "snippet": snippet}


def _cost(ledger: dict[str, Charge]) -> Cost:
    spent = total_usage(ledger)
    return {
        "calls": spent["calls"], "input_tokens": spent["input_tokens"], "output_tokens": spent["output_tokens"],
        "usd": round(spent["cost_usd"], 6), "seconds": round(sum(spent["seconds"].values()), 3),
    }  # fmt: skip
