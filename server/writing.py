"""Values that clients write into the state of a thread, looked at before any are stored.

LangGraph's server shows its rules that a thread is written into, and not what is written; so this reads the bodies of
the requests that write, and of those that look something up by what they send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from backtrail.graphs.state_values import MESSAGES, overwriting, unfit
from backtrail.state.asked import check_question, read_messages
from backtrail.state.errors import InputRefused
from backtrail.state.limits import check_size, limits

_STATE = re.compile(r"/threads/[^/]+/state")
_THREADS = "/threads"
_LOOKUP = re.compile(r"/threads/[^/]+/(?:history|state/checkpoint)")
_SEARCH = "/store/items/search"


def reads(method: str, path: str) -> bool:
    """Whether the body of such a request is read here."""
    path = path.rstrip("/")
    patterns = bool(_STATE.fullmatch(path) or _LOOKUP.fullmatch(path))
    return method == "POST" and (patterns or path in (_THREADS, _SEARCH))


def checked(path: str, body: bytes) -> bytes:
    """The body, if what it writes may be written; what is no JSON is left to the server to refuse.

    Raises:
        InputRefused: too long, or not what the state of any method holds.
    """
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    if not isinstance(sent, Mapping):
        return body
    path = path.rstrip("/")
    if path == _SEARCH:  # the server takes the prefix for granted
        return body if "namespace_prefix" in sent else orjson.dumps({**sent, "namespace_prefix": []})
    if _LOOKUP.fullmatch(path):
        check_size(sent, limits().metadata, "What the history is looked up by", "Send a checkpoint's id alone.")
    for values in _written(sent):
        check_values(values)
    return body


def _written(sent: Mapping[str, Any]) -> Iterator[Any]:
    """What an update, or each of those of a thread that is made with a past, writes."""
    yield sent.get("values")
    for superstep in _list(sent.get("supersteps")):
        for update in _list(superstep.get("updates") if isinstance(superstep, Mapping) else None):
            if isinstance(update, Mapping):
                yield update.get("values")
                command = update.get("command")
                yield command.get("update") if isinstance(command, Mapping) else None


def check_values(sent: Any) -> None:
    """Refuse values that no run should hold.

    Raises:
        InputRefused: too long, or not what the state of any method holds; says which and why.
    """
    for values in sent if isinstance(sent, list) else [sent]:
        if isinstance(values, Mapping):
            _check(values)


def _check(values: Mapping[str, Any]) -> None:
    rest = {key: value for key, value in values.items() if key != MESSAGES}
    check_size(rest, limits().state_update, "What is written into the state", "Write less at once.")
    if messages := overwriting(values.get(MESSAGES)):
        read_messages(messages)
    if problem := unfit(values):
        raise InputRefused(problem)
    question = overwriting(values.get("question"))
    check_question(question if isinstance(question, str) else "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
