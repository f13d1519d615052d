"""Names: ``PROVIDER:MODEL``, ``openai-compatible:NAME@URL``, ``local:FOLDER``, ``recorded:FOLDER``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backtrail.tools.access.addresses import unambiguous
from backtrail.tools.deciders.providers import PROVIDERS
from backtrail.tools.errors import SettingsError

FORMS = (
    "offline",
    "openai:MODEL, for example openai:gpt-5-mini",
    "openai-compatible:NAME@http://host:port/v1",
    "local:FOLDER, a checkpoint on this machine",
    "recorded:FOLDER",
    f"PROVIDER:MODEL or PROVIDER:MODEL@http://host:port with one of {', '.join(PROVIDERS)}",
)

# Models that reason before they reply take no temperature; gpt-5-chat is not one of them.
_NO_TEMPERATURE = re.compile(r"(?:gpt-[5-9](?!.*chat)|o\d)")
# Names of other models that reason, whatever server they are on.
_REASONING = re.compile(r"(?i)\b(?:o[1-9]|gpt-[5-9](?!.{0,100}chat)|gpt-oss|r1|qwq|magistral)\b|reason|think")


@dataclass(frozen=True)
class ModelName:
    """Parts of a model's name. For recordings and local models, ``model`` is the folder."""

    provider: str
    model: str
    base_url: str | None = None

    @property
    def text(self) -> str:
        """The full name, as written in settings."""
        return f"{self.provider}:{self.model}" + (f"@{self.base_url}" if self.base_url else "")

    @property
    def reasons_itself(self) -> bool:
        """Whether the model reasons before it replies, so that its reply needs no reasoning field."""
        return bool(_REASONING.search(self.model.rpartition("/")[2]))

    @property
    def takes_temperature(self) -> bool:
        """Whether a sampling temperature may be sent."""
        return not (self.provider == "openai" and _NO_TEMPERATURE.match(self.model))


def parse_model_name(text: str) -> ModelName:
    """Parse a model's name from the settings. Whether it may be used is checked in allowed.py.

    Raises:
        SettingsError: unknown provider or malformed address.
    """
    provider, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        raise SettingsError(f"{text!r} is not a model name. Use one of: {'; '.join(FORMS)}.")
    if provider == "openai":
        return ModelName("openai", rest)
    if provider == "openai-compatible":
        return _compatible(text, rest)
    if provider == "local":
        return ModelName("local", rest)
    if provider == "recorded":
        return ModelName("recorded", rest)
    if provider in PROVIDERS:
        return _hosted(text, provider, rest)
    raise SettingsError(f"Unknown provider {provider!r} in {text!r}. Use one of: {'; '.join(FORMS)}.")


def _compatible(text: str, rest: str) -> ModelName:
    model, at, url = rest.rpartition("@")
    if not at or not model or not is_base_url(url):
        raise SettingsError(
            f"{_without_password(text)!r} is not of this form: openai-compatible:NAME@http://host:port/v1"
        )
    return ModelName("openai-compatible", model, url.rstrip("/"))


def _hosted(text: str, provider: str, rest: str) -> ModelName:
    """Parse MODEL or MODEL@URL; model names may contain @ too."""
    if "://" not in rest:
        return ModelName(provider, rest)
    model, _, url = rest.rpartition("@")
    if not model or not is_base_url(url):
        raise SettingsError(f"{_without_password(text)!r} is not of this form: {provider}:MODEL@http://host:port")
    return ModelName(provider, model, url.rstrip("/"))


def is_base_url(url: str) -> bool:
    """Whether a URL can be a base address: unambiguous and without a query."""
    parts = unambiguous(url)
    return parts is not None and not parts.query and not url.endswith("?")


def _without_password(text: str) -> str:
    return re.sub(r"//[^/@]*@", "//…@", text)
