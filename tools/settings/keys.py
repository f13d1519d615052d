"""Dotted names of settings: ``corpus``, ``budget.usd``, ``fif.shortlist``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from backtrail.state.decision import Role
from backtrail.state.settings import Settings
from backtrail.tools.errors import SettingsError

ROLES: tuple[str, ...] = get_args(Role)
"""Settings that name a model."""

NOTHING = "none"
"""Spelling of "no ceiling" on the command line and in the environment."""


def known_keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Yield the names of all settings, in the order of the schema."""
    for name, field in model.model_fields.items():
        part = field.annotation
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield from known_keys(part, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def check_keys(keys: Iterable[str], where: str) -> None:
    """Raise SettingsError for the first unknown key, with similar names."""
    known = list(known_keys())
    for key in keys:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=3, cutoff=0.5)
            close += [name for name in known if name.rpartition(".")[2] == key and name not in close]
            hint = f"Did you mean {' or '.join(close)}?" if close else f"Known are: {', '.join(known)}."
            raise SettingsError(f"There is no setting {key!r} ({where}). {hint}")


def parse_assignments(assignments: Iterable[str]) -> dict[str, str]:
    """Parse ``["fif.shortlist=20"]`` into a mapping.

    Raises:
        SettingsError: no '=' in one of them, or an unknown key.
    """
    pairs = [assignment.partition("=") for assignment in assignments]
    for key, equals, _ in pairs:
        if not equals:
            raise SettingsError(f"{key!r} is not of the form key=value, for example fif.shortlist=20.")
    values = {key.strip(): value.strip() for key, _, value in pairs}
    check_keys(values, "--set")
    return values


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Convert nested tables to dotted keys."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat.update(flatten(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value})
    return flat


def nest(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Convert dotted keys to nested tables; 'none' becomes None for settings that allow it."""
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        *tables, name = key.split(".")
        place = nested
        for table in tables:
            place = place.setdefault(table, {})
        is_none = isinstance(value, str) and value.casefold() == NOTHING and _may_be_nothing(key)
        place[name] = None if is_none else value
    return nested


def _may_be_nothing(key: str) -> bool:
    """Whether a setting allows None: a corpus or a provider may be named 'none'."""
    model: type[BaseModel] = Settings
    *tables, name = key.split(".")
    for table in tables:
        part = model.model_fields[table].annotation
        if not (isinstance(part, type) and issubclass(part, BaseModel)):
            return False
        model = part
    return type(None) in get_args(model.model_fields[name].annotation)
