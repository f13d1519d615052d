"""Allowed models, and the addresses that the key of openai-compatible servers is sent to.

BACKTRAIL_MODELS: patterns of names that everybody may use. BACKTRAIL_API_URL: the addresses that BACKTRAIL_API_KEY is
for. The address in a pattern is compared part by part: ``*`` does not match across parts.
"""

from __future__ import annotations

import fnmatch
import os
from pathlib import Path
from urllib.parse import urlsplit

from backtrail.tools.access.addresses import listed, within
from backtrail.tools.access.serving import for_others, serving
from backtrail.tools.deciders.model_name import ModelName, is_base_url, parse_model_name
from backtrail.tools.deciders.providers import PROVIDERS
from backtrail.tools.errors import SettingsError

MODELS, KEY, KEY_URLS = "BACKTRAIL_MODELS", "BACKTRAIL_API_KEY", "BACKTRAIL_API_URL"


def check_allowed(name: ModelName) -> None:
    """Raise SettingsError if BACKTRAIL_MODELS is set and no pattern matches the name."""
    allowed = patterns()
    if allowed and not any(matches_model(name, pattern) for pattern in allowed):
        raise SettingsError(f"The model {name.text!r} is not allowed here. {MODELS} allows: {', '.join(allowed)}.")


def check_clients_may_name(name: ModelName) -> None:
    """Refuse a name that a client of this server may not choose. May read a file: not for event loops.

    Clients may name the host's own addresses, and what BACKTRAIL_MODELS or the policy allows. Everything else is
    refused: folders of this machine and, when the server is open to others, other addresses.

    Raises:
        SettingsError: with the variable that would allow it.
    """
    check_allowed(name)
    own = name.base_url is None and (name.provider == "openai" or name.provider in PROVIDERS)
    if patterns() or own or is_keyed(name) or _named_in_policy(name):
        return
    if name.base_url is None:
        raise SettingsError(f"{name.provider}: names a folder of this server, which clients may not. {_HOST}")
    if for_others():
        raise SettingsError(f"The model {name.text!r} is at an address that is not this server's own. {_HOST}")


def _named_in_policy(name: ModelName) -> bool:
    """Whether the host's policy names the model for anybody; whether this client may use it is checked before a run."""
    from backtrail.tools.access.credentials import policy_in_force  # imports this module

    policy = policy_in_force()
    return policy is not None and any(matches_model(name, pattern) for pattern in policy.models())


_HOST = f"The host can allow it: {MODELS} lists the names that are allowed."


def check_stored(text: str) -> None:
    """Check a model that a client named in a run which the host resumes; as ``check_clients_may_name``.

    Raises:
        SettingsError: clients may not name it, or the host's key would be sent to an address that the client chose.
    """
    name = parse_model_name(text)
    check_clients_may_name(name)
    if name.base_url and os.environ.get(KEY) and not is_keyed(name):
        raise SettingsError(
            f"A client of the server chose {text!r}, and {KEY} is not for that address. Name it yourself, with --set, "
            f"or add the address to {KEY_URLS}."
        )


def compatible_key(name: ModelName) -> str | None:
    """Return the key for an openai-compatible server; None if it is not for that address.

    Without BACKTRAIL_API_URL the key is sent to any address named on the command line or by the calling program,
    never to one named by a client of a server.
    """
    bound = is_keyed(name) if key_urls() else not serving()
    return os.environ.get(KEY) or None if bound else None


def is_keyed(name: ModelName) -> bool:
    """Whether a model's address is one that BACKTRAIL_API_KEY is for."""
    return name.base_url is not None and any(within(name.base_url, url) for url in key_urls())


def patterns() -> list[str]:
    """Return the patterns of BACKTRAIL_MODELS; empty if it is not set."""
    return listed(MODELS)


def key_urls() -> list[str]:
    """Return the addresses that BACKTRAIL_API_KEY is for.

    Raises:
        SettingsError: an entry is not an address.
    """
    urls = listed(KEY_URLS)
    for url in urls:
        if not is_base_url(url):
            raise SettingsError(f"{KEY_URLS} contains {url!r}, which is not an address. Example: http://host:port/v1")
    return urls


def matches_model(name: ModelName, pattern: str) -> bool:
    """Whether a pattern matches a name. A pattern without an address matches every address."""
    if name.base_url is None and ".." in Path(name.model).parts:
        return name.text == pattern
    model, at, url = pattern.rpartition("@")
    if name.base_url is None or not at or "://" not in url:
        return fnmatch.fnmatchcase(name.text, pattern)
    wanted, found = urlsplit(url), urlsplit(name.base_url)
    return (
        fnmatch.fnmatchcase(f"{name.provider}:{name.model}", model)
        and found.scheme == wanted.scheme.lower()
        and fnmatch.fnmatchcase(found.netloc.lower(), wanted.netloc.lower())
        and (not wanted.path.strip("/") or fnmatch.fnmatchcase(found.path, wanted.path.rstrip("/")))
    )
