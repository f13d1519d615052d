"""Outcome of a run as one JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.state.answer_structure import structure_of
from backtrail.state.evidence import Evidence
from backtrail.state.usage import total_usage
from backtrail.state.variant import VariantName


def result(thread: str, method: str, variant: VariantName, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object that ``--json`` prints: answer, evidence and usage."""
    answer: Any = values.get("answer") or {}
    return {
        "answer": answer.get("text"),
        "abstained": answer.get("abstained"),
        "confidence": answer.get("confidence"),
        "calibrated": answer.get("calibrated"),
        "quotes": answer.get("quotes", []),
        "citations": answer.get("citations", []),
        **structure_of(answer),
        "ranking": values.get("ranking", []),
        "evidence": ranked_evidence(values),
        "stop_reason": values.get("stop_reason", ""),
        "usage": total_usage(values.get("usage", {})),
        "failures": values.get("failures", []),
        "question": values.get("question", ""),
        "method": method,
        "variant": variant,
        "thread_id": thread,
    }


def ranked_evidence(values: Mapping[str, Any]) -> list[Evidence]:
    """Return all evidence: ranked evidence in order, then the rest by score."""
    evidence: dict[str, Evidence] = values.get("evidence", {})
    rank = {scored["id"]: place for place, scored in enumerate(values.get("ranking", []))}
    last = len(rank)
    return sorted(evidence.values(), key=lambda found: (rank.get(found["component"], last), -found["score"]))
