"""What clients send to the server, looked at before anything is made of it.

Every way to begin a run ends in the same place: runs, streams, batches, crons, MCP, A2A and the event protocol all
make a run, and the server shows each to the rules of ``auth`` first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from langgraph_sdk import Auth

from backtrail.state.asked import check_asked
from backtrail.state.errors import InputRefused
from backtrail.state.limits import check_size, limits

P = ParamSpec("P")
T = TypeVar("T")

UNPROCESSABLE = 422


def check_run(value: Mapping[str, Any]) -> None:
    """What a run is begun with: its input, or the command that resumes it, and its metadata.

    Raises:
        InputRefused: no question, or something that is too long.
    """
    most = limits()
    check_size(value.get("metadata"), most.metadata, "The run's metadata", "Keep it to short labels.")
    begun = value.get("kwargs") or {}
    command = begun.get("command") or {}
    check_size(command.get("resume"), most.resume, "The value to resume with", "Send less.")
    rest = {key: part for key, part in command.items() if key != "resume"}
    check_size(rest, most.state_update, "The command", "Write less into the state.")
    if begun.get("input") is not None:
        check_asked(begun["input"])


def refusing(check: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Carry out a check; what it refuses, the client is told in its words, with status 422."""
    try:
        return check(*args, **kwargs)
    except InputRefused as error:
        raise Auth.exceptions.HTTPException(status_code=UNPROCESSABLE, detail=str(error)) from error
