"""Outcome of one question, one line of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from backtrail.evals.page_locations import place_of
from backtrail.evals.planning_graph_growth import PlanningGraphGrowth
from backtrail.evals.planning_record import Planned, planning_of
from backtrail.evals.records.find import kinds_of
from backtrail.evals.records.record_kind import RecordValues
from backtrail.evals.trail import trail_of
from backtrail.graphs.method import Method
from backtrail.state.answer import Citation
from backtrail.state.answer_structure import Table, with_structure
from backtrail.state.evidence import Evidence
from backtrail.state.usage import Charge, total_usage

ALWAYS_READ = ("answer", "ranking", "evidence", "usage", "failures", "stop_reason")
"""Keys of the state that every method has."""


class Outcome(BaseModel):
    """Answer of a method to a question, and its usage. ``error`` is set when it raised."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    fingerprint: str = Field(description="Hash of question and picture; see Question.fingerprint.")
    ranking: tuple[str, ...] = Field(default=(), description="Component ids, best first.")
    answer: str = ""
    short: str = Field(default="", description="The answer without its reasons, where the run separates them.")
    items: tuple[str, ...] = Field(default=(), description="Items of the answer, where it is a list.")
    cells: tuple[tuple[str, str, str], ...] = Field(
        default=(), description="Row name, column and text of the filled cells, where the answer is a table."
    )
    abstained: bool = False
    cited: tuple[str, ...] = Field(default=(), description="Component ids that the answer cites.")
    cited_rows: dict[str, tuple[tuple[int, int], ...]] = Field(
        default_factory=dict, description="Cited rows of tables by component: ranges from 0, both ends included."
    )
    places: tuple[str, ...] = Field(default=(), description="document or document#page of the ranked components.")
    cited_places: tuple[str, ...] = Field(default=(), description="The same of the cited components, each once.")
    quoted: tuple[str, ...] = Field(default=(), description="Texts of the citations, with their titles, cut short.")
    level: str = Field(default="", description="Calibrated confidence of reading by rules: low, medium or high.")
    probability: float | None = Field(default=None, description="Calibrated probability that the answer is right.")
    extracted: str = Field(default="", description="Answer that rules read, whether it was given or not.")
    signals: dict[str, float] = Field(default_factory=dict, description="Inputs of the calibration.")
    quotes: tuple[str, ...] = Field(default=(), description="Passages that most likely hold the answer.")
    stop_reason: str = ""
    hops: int | None = Field(default=None, description="Traversals made; None for methods that keep no history.")
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = Field(description="Wall time of the run.")
    stages: dict[str, float] = Field(default_factory=dict, description="Seconds spent on models, vectors, web, …")
    calls_by_node: dict[str, int] = Field(default_factory=dict, description="Model calls of each node that made any.")
    failures: tuple[dict[str, Any], ...] = Field(default=(), description="Recorded failures that the run survived.")
    error: str | None = Field(default=None, description="The exception that ended the run.")
    planned: Planned = Field(default_factory=Planned, description="Plan and searches, abridged.")
    growth: PlanningGraphGrowth | None = Field(default=None, description="How a planning graph grew (MMAPG).")
    judged: dict[str, dict[str, Any]] = Field(default_factory=dict, description="Verdicts of the judge, by judging.")
    judge_usage: Charge | None = Field(default=None, description="Usage of judging, not part of the run's.")
    scores: dict[str, float | None] = Field(default_factory=dict, description="Scores at the time of writing.")
    trail: dict[str, Any] = Field(default_factory=dict, exclude=True, description="Stored in a separate file.")

    @property
    def said(self) -> str:
        """The scored answer: shortened by a judge, else its short form, else all of it."""
        return str(self.judged.get("short", {}).get("answer") or self.short or self.answer)


def keys_read(method: Method) -> tuple[str, ...]:
    """Return the keys of a method's state that its outcomes need."""
    own = (key for kind in kinds_of(method) for key in kind.keys)
    return tuple(dict.fromkeys((*ALWAYS_READ, *own, *method.records)))


def outcome_of(id_: str, asked: str, method: Method, state: dict[str, Any], seconds: float) -> Outcome:
    """Return the outcome of a run from its final state."""
    ledger = state.get("usage", {})
    usage = total_usage(ledger)
    kept = RecordValues()
    for kind in kinds_of(method):
        kept.update(kind.kept(state))
    answer: Any = state.get("answer") or {}
    calibrated = answer.get("calibrated") or {}
    found: dict[str, Evidence] = state.get("evidence") or {}
    return Outcome(
        id=id_,
        fingerprint=asked,
        ranking=tuple(scored["id"] for scored in state.get("ranking", [])),
        answer=with_structure(answer.get("text", ""), answer),
        items=tuple(one["text"] for one in answer.get("items", [])),
        cells=_cells(answer.get("table")),
        short=answer.get("short", ""),
        abstained=bool(answer.get("abstained", False)),
        cited=tuple(dict.fromkeys(citation["component"] for citation in answer.get("citations", []))),
        cited_rows=_cited_rows(answer.get("citations", [])),
        places=tuple(place_of(found[one["id"]]) if one["id"] in found else "" for one in state.get("ranking", [])),
        cited_places=tuple(dict.fromkeys(place_of(citation) for citation in answer.get("citations", []))),
        quoted=tuple(_quoted(citation) for citation in answer.get("citations", [])),
        level=calibrated.get("level", ""),
        probability=calibrated.get("probability"),
        extracted=calibrated.get("short", ""),
        signals=calibrated.get("signals", {}),
        quotes=tuple(quote["quote"] for quote in answer.get("quotes", [])),
        stop_reason=state.get("stop_reason", ""),
        hops=kept.get("hops"),
        calls=usage["calls"],
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
        cost_usd=round(usage["cost_usd"], 6),
        seconds=round(seconds, 4),
        stages={stage: round(booked, 4) for stage, booked in usage["seconds"].items()},
        calls_by_node=_calls_by_node(ledger),
        failures=tuple(dict(failure) for failure in state.get("failures", [])),
        planned=Planned(
            actions=kept.get("actions"),
            path=kept.get("path", ""),
            queries=kept.get("queries", ()),
            searches=kept.get("searches"),
            planning=planning_of(ledger, method.planners, side_by_side=kept.get("side_by_side", False)),
        ),
        growth=kept.get("growth"),
        trail=trail_of(method, state),
    )


def _calls_by_node(ledger: dict[str, Charge]) -> dict[str, int]:
    """Sum the calls of each node over all steps; charges are named node@step."""
    calls: dict[str, int] = {}
    for key, charge in ledger.items():
        if charge["calls"]:
            node = key.partition("@")[0]
            calls[node] = calls.get(node, 0) + charge["calls"]
    return calls


def _cells(table: Table | None) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (row[0]["text"], column, cell["text"])
        for row in (table["rows"] if table else [])
        for column, cell in zip(table["columns"][1:] if table else [], row[1:], strict=True)
        if cell["text"]
    )


def _cited_rows(citations: Sequence[Citation]) -> dict[str, tuple[tuple[int, int], ...]]:
    cited: dict[str, list[tuple[int, int]]] = {}
    for citation in citations:
        place = citation["locator"]
        ranges = place.get("rows") or ([[place["row"], place["row"]]] if "row" in place else [])
        if ranges:
            cited.setdefault(citation["component"], []).extend((first, last) for first, last in ranges)
    return {component: tuple(dict.fromkeys(ranges)) for component, ranges in cited.items()}


def _quoted(citation: Citation) -> str:
    return ". ".join(part for part in (citation["title"], citation["section"], citation["quote"]) if part)


def failed_outcome(id_: str, asked: str, error: Exception, seconds: float) -> Outcome:
    """Return the outcome of a run that raised."""
    message = f"{type(error).__name__}: {error}"
    return Outcome(id=id_, fingerprint=asked, seconds=round(seconds, 4), error=message[:1000])
