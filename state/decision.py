"""A decision: one judgement a node needs, with typed inputs and outputs.

Graphs do not know the decider (a chat model with a prompt, the offline rules, a script, a
recording). The name ties the decision to ``prompts/<name>.md`` and to its rule in ``rules/``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

Role = Literal["planner", "reader", "vlm", "expert", "judge"]
I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
IN_PROMPT = "in_prompt"
"""Serialization context key: long inputs then dump only the part that a prompt shows."""

_ID_SHAPED = re.compile(r"[\w.:#/@+-]{1,60}", re.ASCII)


class Part(BaseModel):
    """Base model of inputs and outputs. Unknown fields are errors, so that a typing slip is noticed."""

    model_config = ConfigDict(extra="forbid")


Offers = Mapping[str, Sequence[str | int] | None]
"""Allowed values of output fields: ids and indexes, by the path of the field ("citations.component").

None leaves an optional field out of the schema, as it cannot be set with these inputs.
"""


def accept_any(inputs: BaseModel, output: BaseModel) -> list[str]:
    """Default check: accept every output that fits the schema."""
    return []


def offers_anything(inputs: BaseModel) -> Offers:
    """Default offers: no field is restricted to what the inputs list."""
    return {}


def as_it_is(inputs: BaseModel, output: O) -> O:
    """Default ``normalize``: return the output unchanged."""
    return output


def quote_ids(*values: str) -> str:
    """Quote values of a reply in an error sentence, separated by commas.

    A reply may repeat an instruction of a document, and error sentences stand outside the fences. So only values shaped
    like ids are quoted; for others the length is given, since the model has its own reply before it.
    """
    return ", ".join(repr(v) if _ID_SHAPED.fullmatch(v) else f"(a text of {len(v):,} characters)" for v in values)


@dataclass(frozen=True)
class Decision(Generic[I, O]):
    """A decision: name, types, the model role that takes it, and checks beyond the schema.

    ``check`` returns what is wrong with an output given its inputs (ids that were not offered, an anchor that does not
    exist), one sentence each, written for the model that repairs it; values of the output are quoted by ``quote_ids``
    alone.

    ``normalize`` runs before it and corrects what needs no guessing (an index that disagrees with its id, a duplicate
    entry), which saves a second call.

    ``offers`` lists the values to choose from. They become enumerations in the schema, so that a model held to it
    cannot write another id; the check stays.

    ``reasoned`` is False where nothing is weighed (describing, shortening or splitting a text): a model is asked to
    reason before it decides, not before it copies.
    """

    name: str
    inputs: type[I]
    output: type[O]
    role: Role
    check: Callable[[I, O], list[str]] = field(default=accept_any)  # type: ignore[assignment]
    offers: Callable[[I], Offers] = field(default=offers_anything, kw_only=True)  # type: ignore[assignment]
    reasoned: bool = field(default=True, kw_only=True)
    normalize: Callable[[I, O], O] = field(default=as_it_is, kw_only=True)  # type: ignore[assignment]
