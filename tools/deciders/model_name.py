"""Names of models: ``provider:model``, ``openai-compatible:NAME@URL`` for servers, ``local:FOLDER`` for checkpoints."""

from __future__ import annotations

import fnmatch
import os
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from backtrail.tools.errors import SettingsError

Provider = Literal["openai", "openai-compatible", "local", "recorded"]
FORMS = (
    "offline",
    "openai:MODEL, for example openai:gpt-5-mini",
    "openai-compatible:NAME@http://host:port/v1",
    "local:FOLDER, a checkpoint on this machine",
    "recorded:FOLDER",
)

# Models that reason before they reply take no temperature; gpt-5-chat is not one of them.
_NO_TEMPERATURE = re.compile(r"(?:gpt-[5-9](?!.*chat)|o\d)")


@dataclass(frozen=True)
class ModelName:
    """A model's name in parts. For recordings and local models, ``model`` is the folder."""

    provider: Provider
    model: str
    base_url: str | None = None

    @property
    def takes_temperature(self) -> bool:
        """Whether a sampling temperature may be sent."""
        return not (self.provider == "openai" and _NO_TEMPERATURE.match(self.model))


def parse_model_name(text: str) -> ModelName:
    """Read a model's name from the settings.

    Raises:
        SettingsError: unknown provider or malformed address; or ``$BACKTRAIL_MODELS``, a comma-separated
            list of patterns, is set and allows none such. (Settings may come from clients of a server.)
    """
    provider, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        raise SettingsError(f"{text!r} names no model. Use one of: {'; '.join(FORMS)}.")
    if provider == "openai":
        name = ModelName("openai", rest)
    elif provider == "openai-compatible":
        name = _compatible(text, rest)
    elif provider == "local":
        name = ModelName("local", rest)
    elif provider == "recorded":
        name = ModelName("recorded", rest)
    else:
        raise SettingsError(f"Unknown provider {provider!r} in {text!r}. Use one of: {'; '.join(FORMS)}.")
    _check_allowed(text)
    return name


def _check_allowed(text: str) -> None:
    allowed = [pattern.strip() for pattern in os.environ.get("BACKTRAIL_MODELS", "").split(",") if pattern.strip()]
    if allowed and not any(fnmatch.fnmatchcase(text, pattern) for pattern in allowed):
        raise SettingsError(f"The model {text!r} is not allowed here. BACKTRAIL_MODELS allows: {', '.join(allowed)}.")


def _compatible(text: str, rest: str) -> ModelName:
    model, at, url = rest.rpartition("@")
    parts = urlsplit(url)
    if not at or not model or parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            f"{_without_password(text)!r} is not of the form openai-compatible:NAME@http://host:port/v1."
        )
    if parts.username or parts.password:
        raise SettingsError("Leave user and password out of the model's address; put a key into BACKTRAIL_API_KEY.")
    return ModelName("openai-compatible", model, url.rstrip("/"))


def _without_password(text: str) -> str:
    return re.sub(r"//[^/@]*@", "//…@", text)
