"""State that all methods share, and the empty state that the next question of a thread starts from.

A method's state extends it.
"""

from __future__ import annotations

import types
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from langgraph.types import Overwrite

from backtrail.state.conversation import MethodInput, MethodOutput
from backtrail.state.subquery import Subquery, merge_subqueries


def merge_approvals(current: list[str], new: list[str]) -> list[str]:
    """Reducer: each approval once, in order."""
    return list(dict.fromkeys([*current, *new]))


class Memory(MethodInput, MethodOutput, total=False):
    """State that all methods share. Methods without a plan leave ``subqueries`` empty.

    Contents and pixels stay in the corpus.
    """

    subqueries: Annotated[list[Subquery], merge_subqueries]
    approvals: Annotated[list[str], merge_approvals]
    """Decisions of people during the run: ``nodes/human_approval.py``."""
    own_words: str
    """What the person said; ``question`` is what was understood."""
    other_questions: list[str]
    """Further questions of the message, which rules do not answer."""


_KEPT = frozenset({*MethodInput.__annotations__, "answer"})
"""Keys that outlive a question: the conversation, and the answer that a follow-up may refer to."""


def empty_memory(state: type[Memory], **otherwise: Any) -> dict[str, Any]:
    """Return the state that the next question of a thread starts from: an empty value for each key.

    Reducers would merge values of the last question; ``Overwrite`` bypasses them (on keys without a reducer it would be
    stored as a value). Keys whose type has no empty value are left out; they are written before they are read.

    Args:
        state: the state of a method.
        otherwise: initial values of keys that do not start empty.
    """
    hints = {key: hint for key, hint in get_type_hints(state, include_extras=True).items() if key not in _KEPT}
    found = {key: _empty(hint) for key, hint in hints.items()}
    return {**{key: value for key, value in found.items() if value is not _NOTHING}, **otherwise}


_NOTHING = object()
_EMPTY: dict[Any, Any] = {list: [], dict: {}, str: "", bool: False}


def _empty(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Overwrite(_empty(arguments[0]))
    if origin in (Union, types.UnionType) and type(None) in arguments:
        return None
    kind = origin or hint
    return _EMPTY.get(kind, _NOTHING)
