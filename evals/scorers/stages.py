"""What a run took, told apart: tokens in and out, and the seconds it waited for whom. Failed questions are left out.

Source of the parts: FiF, table 3 (time of models, vector search and embedding; tokens in and out).
"""

from __future__ import annotations

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.state.usage import STAGES, Stage

TABLE = "Spending"


def stage_seconds(stage: Stage) -> Scorer:
    """Seconds that the run booked on a stage; left out where no question booked any stage."""

    def seconds(question: Question, outcome: Outcome) -> float | None:
        return outcome.stages.get(stage, 0.0) if outcome.stages else None

    return Scorer(f"s {stage}", seconds, "amount", table=TABLE)


def spending_scorers() -> tuple[Scorer, ...]:
    """All of them; of every evaluation."""
    return (
        Scorer("Input tokens", lambda _, outcome: float(outcome.input_tokens), "amount", table=TABLE),
        Scorer("Output tokens", lambda _, outcome: float(outcome.output_tokens), "amount", table=TABLE),
        *(stage_seconds(stage) for stage in STAGES),
    )
