"""JSON schema of a reply: a reasoning field, then the decision with the offered choices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.state.decision import Decision
from backtrail.tools.deciders.json_schema import strict_schema
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.offered_choices import narrowed, without_left_out

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

REASONING = "reasoning"
_LONGEST = 1200  # characters of reasoning that a grammar allows, which stops a model that repeats itself
_REASONING_NOTE = (
    '\n\nThe object begins with one more field, before all others: "reasoning". Say there in a few short '
    "sentences which parts of the material support which decision, then decide accordingly. Examples leave it out."
)


@dataclass(frozen=True)
class ReplyForm:
    """Form of a decision's reply.

    Args:
        schema: JSON schema that a server enforces, with the offered choices and without fields that cannot be set.
        open: the same without the choices, for the text of a prompt, which lists them already.
        reasons: whether the reply begins with a reasoning field.
    """

    name: str
    schema: Mapping[str, Any]
    open: Mapping[str, Any]
    reasons: bool

    @property
    def text(self) -> str:
        """The schema without the choices, as one line of JSON."""
        return json.dumps(self.open, ensure_ascii=False)

    @property
    def reasoning_note(self) -> str:
        """Text of the system message about the reasoning field, which the prompt does not mention."""
        return _REASONING_NOTE if self.reasons else ""


def reply_form(decision: Decision[I, O], inputs: I, *, bounds: bool = False, reasons: bool = False) -> ReplyForm:
    """Return the form of the reply to a decision with these inputs.

    Args:
        bounds: keep lengths, ranges and patterns in the schema.
        reasons: whether the model should reason in its reply; ignored for decisions that need no reasoning, and
            for one-letter decisions, as in the method's paper.
    """
    offers = decision.offers(inputs)
    open_schema = without_left_out(strict_schema(decision.output, bounds=bounds), offers)
    reasons = reasons and decision.reasoned and letter_field(decision.output) is None
    if reasons:
        thought = {"type": "string", **({"maxLength": _LONGEST} if bounds else {})}
        open_schema = {
            **open_schema,
            "properties": {REASONING: thought, **open_schema["properties"]},
            "required": [REASONING, *open_schema["required"]],
        }
    schema = narrowed(open_schema, offers, bounds=bounds)
    return ReplyForm(decision.name, schema, open_schema, reasons)


def without_reasoning(reply: Mapping[str, Any], output: type[BaseModel]) -> dict[str, Any]:
    """Return a reply without its reasoning field, which models write even if it was not requested."""
    return {key: value for key, value in reply.items() if key != REASONING or REASONING in output.model_fields}
