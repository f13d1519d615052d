"""A decision: one judgement a node needs, with typed inputs and outputs.

Who takes it (a chat model with a prompt, the offline rules, a script, a recording) is not the
graph's business. The name ties the decision to ``prompts/<name>.md`` and to its rule in ``rules/``.
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
"""Key of the context in which inputs are dumped for a prompt: long ones then show a part of themselves."""

_ID_SHAPED = re.compile(r"[\w.:#/@+-]{1,60}", re.ASCII)


class Part(BaseModel):
    """What inputs and outputs are made of. No unknown field: a typing slip is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid")


Offers = Mapping[str, Sequence[str | int]]
"""What may stand at a place of an output: ids and indexes, by the path of the field ("citations.component")."""


def accept_any(inputs: BaseModel, output: BaseModel) -> list[str]:
    """Default check: the schema alone decides."""
    return []


def offers_anything(inputs: BaseModel) -> Offers:
    """Default offers: no field is bound to what the inputs list."""
    return {}


def as_it_is(inputs: BaseModel, output: O) -> O:
    """Default: nothing is put right."""
    return output


def as_named(*values: str) -> str:
    """What a reply named, for the sentence that says what is wrong with it; several with commas between.

    Replies may repeat what a document orders, and that sentence is said in our name, outside the fences. Therefore
    only what has the shape of an id is quoted; of all else the length is told: its author has the reply before it.
    """
    return ", ".join(repr(v) if _ID_SHAPED.fullmatch(v) else f"(a text of {len(v):,} characters)" for v in values)


@dataclass(frozen=True)
class Decision(Generic[I, O]):
    """Name, types, the model role that takes it, and what its schema alone cannot check.

    ``check`` returns what is wrong with an output given the inputs (ids that were never offered,
    an anchor that does not exist), one sentence each, written for the model that has to mend it;
    what the output says is quoted there by ``as_named`` alone.
    ``settle`` comes before it and puts right what code can without guessing (an index that disagrees with its
    id, an entry given twice): no second call is paid for that.

    ``offers`` names what the inputs list to choose from. It becomes an enumeration in the schema that a model is held
    to, so that an id which was never offered cannot be written where the schema is kept; the check stays.

    ``reasoned`` is False where nothing is weighed (a text is described, shortened or taken apart): a model is asked
    to reason before it decides, and not before it copies.
    """

    name: str
    inputs: type[I]
    output: type[O]
    role: Role
    check: Callable[[I, O], list[str]] = field(default=accept_any)  # type: ignore[assignment]
    offers: Callable[[I], Offers] = field(default=offers_anything, kw_only=True)  # type: ignore[assignment]
    reasoned: bool = field(default=True, kw_only=True)
    settle: Callable[[I, O], O] = field(default=as_it_is, kw_only=True)  # type: ignore[assignment]
