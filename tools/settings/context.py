"""Check the context of a run or an assistant: nested settings that a client sent.

LangGraph's server drops unknown keys, and reports invalid values only during the run. Here all are checked before the
run is created.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from backtrail.state.limits import check_size, limits
from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.deciders.allowed import check_clients_may_name
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.keys import ROLES, known_keys
from backtrail.tools.web.environment import check_offered

NAMED = 5
"""Problems that are reported at once (ours)."""

SHOWN = 80
"""Characters of a value that an error shows."""


def check_context(sent: Any) -> None:
    """Refuse settings of a client that cannot be used.

    Raises:
        InputRefused: they are too long.
        SettingsError: an unknown key, with similar ones; a value out of bounds; an unknown model, or one that clients
            may not use; a service that is not configured here.
    """
    if not isinstance(sent, Mapping):
        raise SettingsError(f"The context has to be an object with settings, not {type(sent).__name__}.")
    check_size(sent, limits().context, "The context", "Send the settings that differ from their defaults.")
    for unknown in _unknown(sent, Settings, ""):
        raise SettingsError(f"There is no setting {_shown(unknown)}. {_near(unknown)}")
    try:
        settings = Settings.model_validate(sent)
    except ValidationError as error:
        raise SettingsError(" ".join(_sentence(problem) for problem in error.errors()[:NAMED])) from error
    for role in ROLES:
        if (model := str(getattr(settings, role))) != OFFLINE:
            check_clients_may_name(parse_model_name(model))
    if settings.web.reader == "jina":
        check_offered("jina")


def _unknown(table: Mapping[Any, Any], model: type[BaseModel], prefix: str) -> Iterator[str]:
    """Yield unknown dotted names, only as deep as the schema."""
    for name, value in table.items():
        field = model.model_fields.get(str(name))
        if field is None:
            yield f"{prefix}{name}"
        elif isinstance(part := field.annotation, type) and issubclass(part, BaseModel) and isinstance(value, Mapping):
            yield from _unknown(value, part, f"{prefix}{name}.")


def _near(unknown: str) -> str:
    known = list(known_keys())
    name = unknown[:SHOWN]
    close = [key for key in known if key.rpartition(".")[2] == name.rpartition(".")[2]]
    close += [key for key in difflib.get_close_matches(name, known, n=3, cutoff=0.5) if key not in close]
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return "All settings are listed in docs/cli.md, and in the assistant's schemas."


def _sentence(problem: Mapping[str, Any]) -> str:
    key = ".".join(str(part) for part in problem["loc"]) or "The context"
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{key} = {_shown(problem['input'])} cannot be used: {message[:1].lower()}{message[1:]}."


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
