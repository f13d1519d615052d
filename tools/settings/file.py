"""Load settings, by precedence: the caller, the environment, settings.toml, the defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from backtrail.state.settings import Settings
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import settings_file
from backtrail.tools.home_errors import home_error
from backtrail.tools.settings.keys import check_keys, flatten, known_keys, nest
from backtrail.tools.untrusted_values import read_toml


def variable(key: str) -> str:
    """The environment variable of a setting: ``fif.shortlist`` is ``BACKTRAIL_FIF_SHORTLIST``."""
    return "BACKTRAIL_" + key.replace(".", "_").upper()


def load_settings(overrides: Mapping[str, Any] | None = None, *, base: Settings | None = None) -> Settings:
    """The settings of a run.

    Args:
        overrides: values of the caller by dotted key; None means not given.
        base: settings to change instead of the environment's, the file's and the defaults
            (those of a resumed or forked run).

    Raises:
        SettingsError: an unknown key or a value out of bounds; names the key, its source, and the bound.
    """
    explicit = {key: value for key, value in (overrides or {}).items() if value is not None}
    check_keys(explicit, "given")
    if base is not None:
        origins = [("the stored run", flatten(base.model_dump())), ("given", explicit)]
    else:
        file = settings_file()
        origins = [(str(file), _from_file(file)), ("environment", _from_environment()), ("given", explicit)]
    values: dict[str, Any] = {}
    came_from: dict[str, str] = {}
    for origin, found in origins:
        values.update(found)
        came_from.update(dict.fromkeys(found, origin))
    try:
        return Settings.model_validate(nest(values))
    except ValidationError as error:
        raise SettingsError(_explain(error, came_from)) from error


def _from_file(file: Path) -> dict[str, Any]:
    try:
        table = read_toml(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise home_error(error) or SettingsError(f"{file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise SettingsError(f"{file} cannot be read as TOML: {error}. Correct or remove it.") from error
    values = flatten(table)
    check_keys(values, str(file))
    return values


def is_chosen(key: str) -> bool:
    """Whether the environment or the settings file sets a setting."""
    return key in _from_environment() or key in _from_file(settings_file())


def _from_environment() -> dict[str, str]:
    return {key: os.environ[variable(key)] for key in known_keys() if os.environ.get(variable(key))}


def _explain(error: ValidationError, came_from: Mapping[str, str]) -> str:
    lines: list[str] = []
    for problem in error.errors():
        key = ".".join(str(part) for part in problem["loc"])
        message = f"{problem['msg'][:1].lower()}{problem['msg'][1:]}"
        origin = came_from.get(key)
        lines.append(f"{key} = {problem['input']!r}{f' ({origin})' if origin else ''} cannot be used: {message}.")
    return " ".join(lines)
