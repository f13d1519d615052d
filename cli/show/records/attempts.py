"""View of attempts: the query of each round of self-reflective RAG and the judgement of its draft."""

from __future__ import annotations

from backtrail.cli.show.records.planned_steps import DecidedStep, DecidedView
from backtrail.state.self_rag.memory import Attempt


class View(DecidedView):
    """Attempts with their searches."""

    def decided(self, record: Attempt) -> DecidedStep:
        """Convert an attempt."""
        return DecidedStep(record["round"], _judgement(record), record["query"], record["why"])


def _judgement(attempt: Attempt) -> str:
    if not attempt["drafts"]:
        return "no draft"
    if attempt["grounded"] is None:
        return "not judged"
    if not attempt["grounded"]:
        return "unsupported"
    return "useful" if attempt["useful"] else "not useful"
