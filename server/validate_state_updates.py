"""Validation of values that clients write into a thread's state.

LangGraph's server passes to its rules that a thread is written to, but not the values; so the bodies of such requests
are read here, as are those of searches and of some other routes. Runs on temporary threads are marked, because the
server does not distinguish them later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from backtrail.graphs.state_values import MESSAGES, overwriting, unfit
from backtrail.state.chat.picture_blocks import pictures_of
from backtrail.state.errors import InputRefused
from backtrail.state.limits import check_size, limits
from backtrail.state.question_input import check_question, read_messages
from backtrail.tools.access.public_address import TEMPORARY

_STATE = re.compile(r"/threads/[^/]+/state")
_ASSISTANT = re.compile(r"/assistants(?:/[^/]+)?")
_THREADS = "/threads"
_LOOKUP = re.compile(r"/threads/[^/]+/(?:history|state/checkpoint)")
_SEARCH, _TOOLS = "/store/items/search", "/mcp"
_WITHOUT_THREAD = {**dict.fromkeys(("/runs", "/runs/wait", "/runs/stream", "/runs/batch"), "on_completion"),
                   "/runs/crons": "on_run_completed"}  # fmt: skip
"""Routes of runs on temporary threads, and the key with which a client keeps the thread."""


def reads(method: str, path: str) -> bool:
    """Return whether the body of such a request is checked here."""
    path = path.rstrip("/")
    if _ASSISTANT.fullmatch(path):
        return method in ("POST", "PATCH")
    patterns = bool(_STATE.fullmatch(path) or _LOOKUP.fullmatch(path))
    return method == "POST" and (patterns or path in (_THREADS, _SEARCH, _TOOLS, *_WITHOUT_THREAD))


def check_readable(body: bytes) -> Any:
    """Parse a request; refuse JSON that only some readers accept: NaN, 1e999, UTF-16, half a character.

    Raises:
        InputRefused: the message names the problem.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"The request is not valid JSON: {error}.") from error


def checked(path: str, body: bytes) -> bytes:
    """Check the values that a body writes; return the body, marked if its thread is temporary.

    Raises:
        InputRefused: invalid JSON, too long, or invalid values for the state.
    """
    sent = check_readable(body)
    path = path.rstrip("/")
    if kept_by := _WITHOUT_THREAD.get(path):
        marked = [_marked(run, kept_by) for run in (sent if isinstance(sent, list) else [sent])]
        return orjson.dumps(sent) if True in marked else body
    if not isinstance(sent, Mapping) or path == _TOOLS:
        return body
    if path == _SEARCH:  # the server requires the prefix
        return body if sent.get("namespace_prefix") is not None else orjson.dumps({**sent, "namespace_prefix": []})
    if _LOOKUP.fullmatch(path):
        check_size(sent, limits().metadata, "The search of the history", "Send only a checkpoint's id.")
    if _ASSISTANT.fullmatch(path):
        check_size(sent.get("description"), limits().metadata, "The assistant's description", "Shorten it.")
        return body
    for values in _written(sent):
        check_values(values)
    return body


def _marked(run: Any, kept_by: str) -> bool:
    """Mark a run on a temporary thread; return whether it was marked. The server refuses invalid runs."""
    if not isinstance(run, dict) or run.get(kept_by) == "keep":
        return False
    config = run["config"] = run.get("config") or {}
    if not isinstance(config, dict) or not isinstance(config.get("metadata") or {}, dict):
        return False
    config["metadata"] = {**(config.get("metadata") or {}), TEMPORARY: True}
    return True


def _written(sent: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values of an update, or of all updates of a thread created with a history."""
    yield sent.get("values")
    for superstep in _list(sent.get("supersteps")):
        for update in _list(superstep.get("updates") if isinstance(superstep, Mapping) else None):
            if isinstance(update, Mapping):
                yield update.get("values")
                command = update.get("command")
                yield command.get("update") if isinstance(command, Mapping) else None


def check_values(sent: Any) -> None:
    """Refuse values that are invalid in a state.

    Raises:
        InputRefused: too long, or invalid; the message names the value and the reason.
    """
    for values in sent if isinstance(sent, list) else [sent]:
        if isinstance(values, Mapping):
            _check(values)


def _check(values: Mapping[str, Any]) -> None:
    rest = {key: value for key, value in values.items() if key != MESSAGES}
    check_size(rest, limits().state_update, "The update of the state", "Write less at once.")
    if messages := overwriting(values.get(MESSAGES)):
        shown = [picture for message in read_messages(messages) for picture in pictures_of(message)]
        if any(picture.kind != "held" for picture in shown):
            raise InputRefused("A state must not contain pictures. Store them with POST /pictures, and refer to them.")
    if problem := unfit(values):
        raise InputRefused(problem)
    question = overwriting(values.get("question"))
    check_question(question if isinstance(question, str) else "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
