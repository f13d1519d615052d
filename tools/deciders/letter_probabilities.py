"""Attach the probabilities of a server's tokens to an output of one letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.decision import Decision
from backtrail.tools.deciders.call_meter import CallMeter
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.requests.letter_scores import Place, letter_scores

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
FAINT = 0.5
"""Below this share of all probability the model would rather have said something else than a letter (ours)."""


def with_probabilities(decision: Decision[I, O], inputs: I, output: O, places: Sequence[Place], meter: CallMeter) -> O:
    """The output with probabilities where it has room for them and its server said any; else the output."""
    field = letter_field(decision.output)
    scores = letter_scores(places, field) if field is not None and field.probabilities else None
    if field is None or scores is None:
        return output
    told = output.model_copy(update=field.values(getattr(output, field.name), scores.probabilities))
    if decision.check(inputs, told):
        return output
    shares = ", ".join(f"{letter} {share:.3f}" for letter, share in scores.probabilities.items())
    meter.note(f"probabilities of the letters: {shares}")
    if scores.mass < FAINT:
        meter.note(f"the letters together held {scores.mass:.3f} of the next token's probability")
    return told
