"""The context of a run or an assistant: settings as a client wrote them, nested, complete or in part.

LangGraph's server drops keys that the schema does not know and finds out what cannot be used when a run is under
way. Here all of it is looked at before there is a run.
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
"""Problems that are named at once; what is wrong beyond is seen when these are mended (ours)."""

SHOWN = 80
"""Characters of a value that are shown again."""


def check_context(sent: Any) -> None:
    """Refuse settings of a client that cannot be used.

    Raises:
        InputRefused: they are too long.
        SettingsError: an unknown key, with those that are near; a value out of bounds; a name that names no model, or
            one that clients may not name; a service that is not configured here.
    """
    if not isinstance(sent, Mapping):
        raise SettingsError(f"The context is an object with settings; {type(sent).__name__} was sent.")
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
    """Dotted names that no setting has; as deep as the schema goes, however deep the table is."""
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
    return "All settings are listed in docs/cli.md, and by the assistant's schemas."


def _sentence(problem: Mapping[str, Any]) -> str:
    key = ".".join(str(part) for part in problem["loc"]) or "The context"
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{key} = {_shown(problem['input'])} cannot be used: {message[:1].lower()}{message[1:]}."


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
