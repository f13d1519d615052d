"""History record of a search without a judgement, for the baselines."""

from __future__ import annotations

from backtrail.state.evidence import Evidence
from backtrail.state.hop import Hop, Route, Scored, Strategy, hop_record


def search_record(
    step: int, query: str, strategy: Strategy, components: list[Scored], found: dict[str, Evidence], new: bool
) -> Hop:
    """Build a hop that succeeded if it found something new, with the documents of its components."""
    documents: dict[str, float] = {}
    for scored in components:
        documents.setdefault(found[scored["id"]]["document"], scored["score"])
    route: Route = {
        "step": step,
        "subquery_id": None,
        "subquery": query,
        "anchor_step": step - 1 if strategy["scope"] == "local" else None,
        "anchors": [],
        "strategy": strategy,
        "why": "",
    }
    return hop_record(
        route,
        "success" if new else "failure",
        "" if new else "Nothing new was found.",
        [{"id": key, "score": score} for key, score in documents.items()],
        components,
    )
