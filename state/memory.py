"""The common memory of a run, and the empty one that the next question of a thread starts from.

A method's state is this and what the method adds.
"""

from __future__ import annotations

import types
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from langgraph.types import Overwrite

from backtrail.state.conversation import Answered, Asked
from backtrail.state.subquery import Subquery, merge_subqueries


def merge_consents(held: list[str], new: list[str]) -> list[str]:
    """Reducer: each once, in the order in which they were given."""
    return list(dict.fromkeys([*held, *new]))


class Memory(Asked, Answered, total=False):
    """What every method remembers. Methods that plan none leave ``subqueries`` empty: the reader has the key.

    Contents and pixels stay in the corpus.
    """

    subqueries: Annotated[list[Subquery], merge_subqueries]
    consents: Annotated[list[str], merge_consents]
    """What people decided on the way: ``nodes/human_approval.py``."""
    also_asked: list[str]
    """Further questions of the message, which rules do not answer beside the first."""


_KEPT = frozenset({*Asked.__annotations__, "answer"})
"""Keys that outlive a question: the conversation, and the answer that a follow-up may mean."""


def empty_memory(state: type[Memory], **otherwise: Any) -> dict[str, Any]:
    """What the next question of a thread starts from: each key of a state with nothing in it.

    Keys with a reducer would carry the last question's values over; ``Overwrite`` goes around the reducer (on other
    keys it would be stored as it is). A key that has no empty value is written before it is read, and left out.

    Args:
        state: the state of a method.
        otherwise: values of keys that start with something in them.
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
