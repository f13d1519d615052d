"""Feedback on answers as questions of an evaluation, in the format of ``backtrail eval custom``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

from backtrail.cli.show.conversation import earlier_turns
from backtrail.cli.show.trace_record import Trace, read_trace
from backtrail.tools.access.records.feedback import Feedback
from backtrail.tools.errors import SettingsError


async def feedback_questions(given: Iterable[Feedback]) -> AsyncIterator[dict[str, Any]]:
    """Yield a question for each answer that is right, or whose right answer was given.

    An abstention that is right makes an unanswerable question. Left out: wrong answers without the right one, pictures
    (a question has none without its file), and runs that are gone.
    """
    for one in given:
        trace = await _turn(one)
        if trace is not None and (question := question_of(one, trace)):
            yield question


def question_of(one: Feedback, trace: Trace) -> dict[str, Any] | None:
    """Return the question of a rated answer; None if it cannot be one."""
    answer = trace.values.get("answer")
    if not isinstance(answer, dict) or trace.values.get("image") or not (one["verdict"] == "up" or one["expected"]):
        return None
    tags = {"feedback": one["verdict"], "method": trace.method, "comment": one["comment"]}
    question: dict[str, Any] = {
        "id": f"{one['thread']}-{one['turn']}",
        "question": str(trace.values.get("question", "")),
        "corpus": trace.settings.corpus,
        "documents": list(trace.settings.documents or ()),
        "tags": {name: value for name, value in tags.items() if value},
    }
    if one["expected"]:
        question["answers"] = [one["expected"]]
    elif not answer["abstained"]:
        question["answers"] = [str(answer.get("short") or answer["text"])]
        question["gold"] = [[cited] for cited in dict.fromkeys(piece["component"] for piece in answer["citations"])]
    return question


async def _turn(one: Feedback) -> Trace | None:
    """Return the run of the rated question; None if it is gone."""
    try:
        latest = await read_trace(one["thread"])
    except SettingsError:
        return None
    turns = [*await earlier_turns(latest), latest]
    return turns[one["turn"] - 1] if one["turn"] <= len(turns) else None
