"""Scorers that split spending: input and output tokens, seconds by stage, and model calls by node.

Failed questions are skipped. Source of the parts: FiF, table 3 (time of models, vector search and embedding; tokens in
and out); calls by node are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, Scorer
from backtrail.state.usage import STAGES, Stage

TABLE = "Spending"
CALLS_TABLE = "Calls"


def stage_seconds(stage: Stage) -> Scorer:
    """Seconds of a stage; skipped for a question without any recorded stage."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        return outcome.stages.get(stage, 0.0) if outcome.stages else None

    return Scorer(f"s {stage}", seconds, "amount", table=TABLE)


def spending_scorers() -> tuple[Scorer, ...]:
    """All of these scorers, part of every evaluation."""
    return (
        Scorer("Input tokens", lambda _, outcome: float(outcome.input_tokens), "amount", table=TABLE),
        Scorer("Output tokens", lambda _, outcome: float(outcome.output_tokens), "amount", table=TABLE),
        *(stage_seconds(stage) for stage in STAGES),
    )


def node_calls(pairs: Sequence[Pair]) -> tuple[Scorer, ...]:
    """Model calls of each node that made any in these runs, in descending order."""
    made: dict[str, int] = {}
    for _, outcome in pairs:
        for node, calls in outcome.calls_by_node.items():
            made[node] = made.get(node, 0) + calls
    return tuple(_calls_of(node) for node in sorted(made, key=lambda node: (-made[node], node)))


def _calls_of(node: str) -> Scorer:
    def calls(question: Question, outcome: Outcome) -> float | None:
        return float(outcome.calls_by_node.get(node, 0))

    return Scorer(f"calls of {node}", calls, "amount", table=CALLS_TABLE)
