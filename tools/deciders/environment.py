"""Environment variables of chat models: keys, addresses, limits. Read when a decider is opened.

OPENAI_API_KEY and OPENAI_BASE_URL, and those of other providers (providers.py); BACKTRAIL_API_KEY for models that are
named with an address in BACKTRAIL_API_URL (see allowed.py; a provider's own key is never sent there);
BACKTRAIL_TIMEOUT (seconds, 120; 600 for local models), BACKTRAIL_TRIES (5), BACKTRAIL_RPM and BACKTRAIL_TPM (requests
and tokens per minute, unlimited), BACKTRAIL_CONCURRENCY (concurrent requests, 8); BACKTRAIL_BATCH (1: send requests to
OpenAI and compatible servers in batches), BACKTRAIL_BARE_LETTERS (1: their models reply to one-letter decisions with
the letter alone, as trained planners do).
"""

from __future__ import annotations

import os

from backtrail.tools.deciders.allowed import compatible_key
from backtrail.tools.deciders.model_name import ModelName
from backtrail.tools.deciders.providers import PROVIDERS, Provider
from backtrail.tools.deciders.requests.rate_limit import Limits
from backtrail.tools.errors import SettingsError


def api_key(name: ModelName) -> str | None:
    """Return the key for a model's server; None if the server needs none or the key is not for it.

    Raises:
        SettingsError: the key of OpenAI or another provider is missing.
    """
    if name.base_url is not None:
        return compatible_key(name)  # a provider's own key is never sent to another address
    if name.provider in PROVIDERS:
        return _provider_key(name, PROVIDERS[name.provider])
    key = os.environ.get("OPENAI_API_KEY")
    if not key:
        raise SettingsError(
            f"openai:{name.model} needs an API key: set OPENAI_API_KEY, "
            f"or use 'offline' or openai-compatible:NAME@http://host:port/v1 instead."
        )
    return key


def _provider_key(name: ModelName, row: Provider) -> str | None:
    if not row.key:
        return None
    key = os.environ.get(row.key)
    if not key:
        raise SettingsError(f"{name.text} needs an API key: set {row.key}, or use 'offline' or another model.")
    return key


def base_url(name: ModelName) -> str | None:
    """Return the address of the model's server; None for the provider's usual address."""
    variable = PROVIDERS[name.provider].url if name.provider in PROVIDERS else "OPENAI_BASE_URL"
    return name.base_url or (os.environ.get(variable) if variable else None) or None


def limits() -> Limits:
    """Return rate limits and concurrency."""
    return Limits(_count("BACKTRAIL_RPM"), _count("BACKTRAIL_TPM"), _count("BACKTRAIL_CONCURRENCY") or 8)


def tries() -> int:
    """Return the number of requests sent before giving up."""
    return _count("BACKTRAIL_TRIES") or 5


def timeout(default: float = 120.0) -> float:
    """Return the seconds that one request may take."""
    text = os.environ.get("BACKTRAIL_TIMEOUT")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise SettingsError(f"BACKTRAIL_TIMEOUT={text!r} is not a positive number of seconds.")
    return value


def batched() -> bool:
    """Whether requests are sent in batches.

    Raises:
        SettingsError: the variable is neither 1 nor 0.
    """
    return _switch("BACKTRAIL_BATCH")


def bare_letters() -> bool:
    """Whether models of OpenAI and compatible servers reply to one-letter decisions with the letter alone.

    Raises:
        SettingsError: the variable is neither 1 nor 0.
    """
    return _switch("BACKTRAIL_BARE_LETTERS")


def _switch(variable: str) -> bool:
    text = os.environ.get(variable) or "0"
    if text not in ("0", "1"):
        raise SettingsError(f"{variable}={text!r} is neither 1 nor 0.")
    return text == "1"


def _count(variable: str) -> int | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise SettingsError(f"{variable}={text!r} is not a whole number of at least 1.")
    return int(text)
