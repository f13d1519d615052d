"""Store the models of a home in ``settings.toml``; its other lines stay as they are. Keys are never stored there."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from backtrail.tools.deciders.allowed import check_allowed
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import settings_file
from backtrail.tools.settings.file import load_settings, variable
from backtrail.tools.untrusted_values import read_toml

OFFLINE = "offline"
ROLES = ("planner", "reader", "vlm")
"""Roles that are stored; those of experts and judges are settings for few."""
_PREFIX = re.compile(rf"\s*(?:{'|'.join(ROLES)})\s*=")


def stored_models() -> dict[str, str]:
    """Return the model of each role that runs use without a choice of their own."""
    settings = load_settings()
    return {role: str(getattr(settings, role)) for role in ROLES}


def overridden_models() -> list[str]:
    """Return the environment variables that set a model, whatever the file says."""
    return [variable(role) for role in ROLES if os.environ.get(variable(role))]


def full_name(model: str, url: str) -> str:
    """Return the name of a model as settings have it: one without provider is on the compatible server at ``url``."""
    model, url = model.strip() or OFFLINE, url.strip()
    try:
        return model if model == OFFLINE else parse_model_name(model).text
    except SettingsError:
        if not url:
            raise
        return parse_model_name(f"openai-compatible:{model}@{url}").text


def store_models(models: Mapping[str, str]) -> None:
    """Store the model of each role. Blocking.

    Raises:
        SettingsError: a name or the file is invalid, a model is not allowed here; nothing is stored then.
    """
    for name in models.values():
        if name != OFFLINE:
            check_allowed(parse_model_name(name))
    load_settings(models)
    file = settings_file()
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    text = _with_models(before, models)
    read_toml(text)  # nothing that cannot be read again is stored
    _replace(file, text)


def _with_models(text: str, models: Mapping[str, str]) -> str:
    """Return the file's text with these models; names of models stand before the first table."""
    lines = text.splitlines()
    tables = next((number for number, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    kept = [line for line in lines[:tables] if not _PREFIX.match(line)]
    named = [f"{role} = {json.dumps(name)}" for role, name in models.items()]
    return "\n".join([*named, *kept, *lines[tables:]]) + "\n"


def _replace(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as written:
        written.write(text)
    os.replace(written.name, file)  # mode 0600, as of every temporary file
