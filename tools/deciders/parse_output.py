"""Parse a decision's output from a reply: schema first, then the decision's own repairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from backtrail.state.decision import Decision
from backtrail.tools.deciders.clip_output import within_bounds
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.requests.repair_json import json_candidates
from backtrail.tools.deciders.requests.reply_schema import without_reasoning

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

_MOST_PROBLEMS = 8
_LETTER = re.compile(r"(?:(?:option|answer|choice)\s*[:=]?\s*)?[\"'(\[*]*([A-Za-z])[\"')\]*.]*", re.IGNORECASE)


@dataclass(frozen=True)
class Read(Generic[O]):
    """A valid output, or the reply's problem in words that the model can act on."""

    output: O | None
    problem: str = ""


def read_output(decision: Decision[I, O], inputs: I, text: str) -> Read[O]:
    """Parse and validate a reply."""
    problem = ""
    for candidate in [*json_candidates(text), *_bare_letter(decision.output, text)]:
        try:
            reply = without_reasoning(candidate, decision.output)
            output = decision.normalize(inputs, decision.output.model_validate(within_bounds(decision.output, reply)))
        except ValidationError as error:
            problem = problem or _in_words(error)
            continue
        problems = decision.check(inputs, output)
        if not problems:
            return Read(output)
        problem = " ".join(problems[:_MOST_PROBLEMS])
    return Read(None, problem or "There is no JSON object in the reply.")


def _bare_letter(output: type[BaseModel], text: str) -> list[dict[str, object]]:
    """Accept a reply that is only a letter: "B", "(b)", "Option B." A letter in prose does not count."""
    field = letter_field(output)
    written = _LETTER.fullmatch(text.strip()) if field else None
    letter = written.group(1).upper() if written else ""
    return [field.values(letter, {})] if field and letter in field.letters else []


def _in_words(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)[:_MOST_PROBLEMS]
    return " ".join(f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg']}." for one in found)
