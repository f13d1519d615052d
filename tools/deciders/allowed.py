"""Which models may be named, by whom, and where the key for openai-compatible servers goes.

BACKTRAIL_MODELS: patterns of names that are allowed, whoever names them. BACKTRAIL_API_URL: the addresses that
BACKTRAIL_API_KEY is for. A pattern's address is compared part by part: ``*`` does not reach from one into the next.
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
    """Raises SettingsError when BACKTRAIL_MODELS is set and allows no such name."""
    allowed = patterns()
    if allowed and not any(matches_model(name, pattern) for pattern in allowed):
        raise SettingsError(f"The model {name.text!r} is not allowed here. {MODELS} allows: {', '.join(allowed)}.")


def check_clients_may_name(name: ModelName) -> None:
    """Refuse a name that a client of this server may not choose. May read a file: not for event loops.

    Addresses of the host's own may be named, and what BACKTRAIL_MODELS allows. Folders of this machine and, once
    there are keys or others may ask, other addresses are the host's to allow.

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
    """Whether the host's policy names it, for anybody; who may choose it was decided before the run began."""
    from backtrail.tools.access.credentials import policy_in_force  # which looks models up here

    policy = policy_in_force()
    return policy is not None and any(matches_model(name, pattern) for pattern in policy.models())


_HOST = f"Whoever hosts it can allow it: {MODELS} lists the names that are allowed."


def check_stored(text: str) -> None:
    """As ``check_clients_may_name``, for a model that a client named in a run which the host goes on with.

    Raises:
        SettingsError: a client may not name it here, or the host's key would go to an address of the client's choice.
    """
    name = parse_model_name(text)
    check_clients_may_name(name)
    if name.base_url and os.environ.get(KEY) and not is_keyed(name):
        raise SettingsError(
            f"A client of the server chose {text!r}, and {KEY} is not for that address. Name it yourself, with --set, "
            f"or add the address to {KEY_URLS}."
        )


def compatible_key(name: ModelName) -> str | None:
    """The key for an openai-compatible server; None where it is not for that address.

    Without BACKTRAIL_API_URL it goes to the address that the person at the command line or the calling program
    named; never to one that a client of a server did.
    """
    bound = is_keyed(name) if key_urls() else not serving()
    return os.environ.get(KEY) or None if bound else None


def is_keyed(name: ModelName) -> bool:
    """Whether a model is at one of the addresses that BACKTRAIL_API_KEY is for."""
    return name.base_url is not None and any(within(name.base_url, url) for url in key_urls())


def patterns() -> list[str]:
    """The patterns of BACKTRAIL_MODELS; none when it is not set."""
    return listed(MODELS)


def key_urls() -> list[str]:
    """The addresses that BACKTRAIL_API_KEY is for.

    Raises:
        SettingsError: one of them is no address.
    """
    urls = listed(KEY_URLS)
    for url in urls:
        if not is_base_url(url):
            raise SettingsError(
                f"{KEY_URLS} holds {url!r}, which is no address. An example of one: http://host:port/v1"
            )
    return urls


def matches_model(name: ModelName, pattern: str) -> bool:
    """Whether a pattern covers a name. Without an address of its own it covers every address."""
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
