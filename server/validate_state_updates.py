"""Validate values that clients write into a thread's state.

LangGraph's server shows its rules that a thread is written into, and not what is written; so this reads the bodies of
the requests that write, of those that look something up by what they send, and of a few that hold what it shows nobody.
Runs without a thread of their client's are marked here, as the server does not tell them from others later.
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
"""Where runs are begun on a thread that is removed after them, and the key by which a client keeps it."""


def reads(method: str, path: str) -> bool:
    """Whether the body of such a request is read here."""
    path = path.rstrip("/")
    if _ASSISTANT.fullmatch(path):
        return method in ("POST", "PATCH")
    patterns = bool(_STATE.fullmatch(path) or _LOOKUP.fullmatch(path))
    return method == "POST" and (patterns or path in (_THREADS, _SEARCH, _TOOLS, *_WITHOUT_THREAD))


def check_readable(body: bytes) -> Any:
    """Parse a request; refuse JSON that only some readers take: NaN, 1e999, UTF-16, half a character.

    Raises:
        InputRefused: with what is wrong with it.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"The request is no JSON that can be read: {error}.") from error


def checked(path: str, body: bytes) -> bytes:
    """The body, if what it writes may be written.

    Raises:
        InputRefused: no JSON, too long, or not what the state of any method holds.
    """
    sent = check_readable(body)
    path = path.rstrip("/")
    if kept_by := _WITHOUT_THREAD.get(path):
        marked = [_marked(run, kept_by) for run in (sent if isinstance(sent, list) else [sent])]
        return orjson.dumps(sent) if True in marked else body
    if not isinstance(sent, Mapping) or path == _TOOLS:
        return body
    if path == _SEARCH:  # the server takes the prefix for granted
        return body if sent.get("namespace_prefix") is not None else orjson.dumps({**sent, "namespace_prefix": []})
    if _LOOKUP.fullmatch(path):
        check_size(sent, limits().metadata, "What the history is looked up by", "Send a checkpoint's id alone.")
    if _ASSISTANT.fullmatch(path):
        check_size(sent.get("description"), limits().metadata, "The assistant's description", "Shorten it.")
        return body
    for values in _written(sent):
        check_values(values)
    return body


def _marked(run: Any, kept_by: str) -> bool:
    """Mark a run whose thread is removed after it; whether it was marked. What is no run is the server's to refuse."""
    if not isinstance(run, dict) or run.get(kept_by) == "keep":
        return False
    config = run["config"] = run.get("config") or {}
    if not isinstance(config, dict) or not isinstance(config.get("metadata") or {}, dict):
        return False
    config["metadata"] = {**(config.get("metadata") or {}), TEMPORARY: True}
    return True


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
        shown = [picture for message in read_messages(messages) for picture in pictures_of(message)]
        if any(picture.kind != "held" for picture in shown):
            raise InputRefused("A state holds no pictures. Store them with POST /pictures, and refer to them.")
    if problem := unfit(values):
        raise InputRefused(problem)
    question = overwriting(values.get("question"))
    check_question(question if isinstance(question, str) else "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
