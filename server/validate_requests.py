"""Validation of clients' requests.

Runs, streams, batches, crons, MCP, A2A and the event protocol all create runs, and the server passes each to the rules
of ``auth`` first, as it does assistants, crons, threads and store items. Values written into a thread's state are not
passed: ``validate_state_updates`` checks them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from langgraph_sdk import Auth

from backtrail.server.validate_state_updates import check_values
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.limits import check_size, limits
from backtrail.state.question_input import check_input
from backtrail.tools.access.webhooks import check_webhook
from backtrail.tools.settings.context import check_context

UNPROCESSABLE = 422

SCHEDULE = 1_000
"""Maximum number of characters of a schedule: five fields, even with every minute of the hour listed."""

_LABELS = "Keep it to short labels."
_LANGGRAPHS = frozenset(
    {
        "assistant_id", "checkpoint", "checkpoint_id", "checkpoint_map", "checkpoint_ns", "cron_id", "graph_id",
        "run_id", "thread_id", "user_id",
    }
)  # fmt: skip
"""LangGraph's own keys of ``configurable``, besides those that begin with ``_INTERNAL``."""
_CHECKED = frozenset({"command", "config", "context", "input", "metadata"})
_INTERNAL = ("__", "langgraph_", "langsmith-")


async def refusing(check: Callable[[Mapping[str, Any]], None], value: Mapping[str, Any]) -> None:
    """Run a check in a thread, because it may count long values.

    Raises:
        HTTPException: status 422 with the check's message.
    """
    try:
        await asyncio.to_thread(check, value)
    except BacktrailError as error:
        raise Auth.exceptions.HTTPException(status_code=UNPROCESSABLE, detail=str(error)) from error


def check_run(value: Mapping[str, Any]) -> None:
    """Check a new run: input or resuming command, settings and metadata."""
    check_size(value.get("metadata"), limits().metadata, "The run's metadata", _LABELS)
    _check_kwargs(value.get("kwargs") or {})


def check_cron(value: Mapping[str, Any]) -> None:
    """Check a new or changed cron: its schedule and what its runs start with."""
    check_size(value.get("metadata"), limits().metadata, "The cron's metadata", _LABELS)
    when = {key: value.get(key) for key in ("schedule", "timezone")}
    check_size(when, SCHEDULE, "The cron's schedule", "It has five fields, as in '0 9 * * 1'.")
    payload = value.get("payload") or {}
    check_size(payload.get("metadata"), limits().metadata, "The metadata of its runs", _LABELS)
    _check_kwargs({**payload, "context": payload.get("context") or _object(payload, "config").get("configurable")})


def check_assistant(value: Mapping[str, Any]) -> None:
    """Check a new or changed assistant: settings, name and metadata."""
    named = {key: value.get(key) for key in ("metadata", "name")}
    check_size(named, limits().metadata, "The assistant's metadata", _LABELS)
    config = _object(value, "config")
    _check_config(config)
    _check_settings(value.get("context") or config.get("configurable"))


def check_thread(value: Mapping[str, Any]) -> None:
    """Check a thread to create, change or search."""
    check_size(value.get("metadata"), limits().metadata, "The thread's metadata", _LABELS)
    check_size(value.get("values"), limits().metadata, "The search by a thread's values", _LABELS)


def check_item(value: Mapping[str, Any]) -> None:
    """Check an item of the store to write or search."""
    check_size(value, limits().store_item, "The item, with its namespace and key,", "Store it in parts.")


def _check_kwargs(kwargs: Mapping[str, Any]) -> None:
    command, most = _object(kwargs, "command"), limits()
    check_size(command.get("resume"), most.resume, "The value to resume with", "Send less.")
    rest = {key: part for key, part in command.items() if key != "resume"}
    check_values(command.get("update"))
    check_size(rest, most.state_update, "The command", "Write less into the state.")
    resumed = command and not kwargs.get("input")  # some clients send an empty input as well
    if kwargs.get("input") is not None and not resumed and not asks_to_ingest(kwargs["input"]):
        check_input(kwargs["input"])
    _check_config(_object(kwargs, "config"))
    _check_settings(kwargs.get("context"))
    how = {key: part for key, part in kwargs.items() if key not in _CHECKED}
    check_size(how, most.metadata, "The run's configuration", "Name fewer nodes, modes and keys.")
    if kwargs.get("webhook"):
        check_webhook(str(kwargs["webhook"]))


def asks_to_ingest(sent: Any) -> bool:
    """Return whether an input is for the ingest of uploads; methods refuse it when they start."""
    return isinstance(sent, Mapping) and sent.keys() == {"corpus"} and isinstance(sent["corpus"], str)


def _object(sent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an object within a request; not every route has validated its type before."""
    part = sent.get(name) or {}
    if not isinstance(part, Mapping):
        raise InputRefused(f"{name!r} must be an object.")
    return part


def _check_config(config: Mapping[str, Any]) -> None:
    labels = {key: config.get(key) for key in ("tags", "metadata")}
    if not isinstance(labels["metadata"] or {}, Mapping):
        raise InputRefused("The config's metadata must be an object with labels by name.")
    check_size(labels, limits().metadata, "The config's tags and metadata", _LABELS)


def _check_settings(sent: Any) -> None:
    """Check settings, sent as the context or, by older clients, in ``configurable``."""
    if isinstance(sent, Mapping):
        sent = {key: value for key, value in sent.items() if not _is_langgraphs(str(key))}
    if sent:
        check_context(sent)


def _is_langgraphs(key: str) -> bool:
    return key in _LANGGRAPHS or key.startswith(_INTERNAL)
