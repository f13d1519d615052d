"""Steps that a planner decided between searches, in one form: CogPlanner's rounds, OmniSearch's turns, Self-RAG's
rounds with the judgement of their drafts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backtrail.state.cogplanner.memory import Round
from backtrail.state.omnisearch.memory import Turn
from backtrail.state.self_rag.memory import Attempt


@dataclass(frozen=True)
class DecidedStep:
    """A step with its number, what was chosen or judged, what was asked, and why; ``label`` names the why."""

    number: int
    chosen: str
    asked: str
    why: str
    label: str = "why"


def decided_round(one: Round) -> DecidedStep:
    """The action and the queries of a round of CogPlanner."""
    return DecidedStep(one["index"], one["action"], "; ".join(one["queries"]), one["why"])


def decided_turn(turn: Turn) -> DecidedStep:
    """What a turn of OmniSearch thought, asked and chose."""
    return DecidedStep(turn["index"], turn["action"], turn["subquestion"], turn["thought"], label="thought")


def judged_attempt(attempt: Attempt) -> DecidedStep:
    """What a round of self-reflective RAG asked, and how its draft was judged."""
    return DecidedStep(attempt["round"], _judgement(attempt), attempt["query"], attempt["why"])


def decided_steps(values: Mapping[str, Any]) -> list[DecidedStep]:
    """Every such step of a state, in order; none for other methods."""
    return [
        *(decided_round(one) for one in values.get("rounds", [])),
        *(decided_turn(turn) for turn in values.get("turns", [])),
        *(judged_attempt(attempt) for attempt in values.get("attempts", [])),
    ]


def _judgement(attempt: Attempt) -> str:
    if not attempt["drafts"]:
        return "no draft"
    if attempt["grounded"] is None:
        return "not judged"
    if not attempt["grounded"]:
        return "unsupported"
    return "useful" if attempt["useful"] else "not useful"
