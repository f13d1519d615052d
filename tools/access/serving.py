"""Whether this process serves clients, so that a run's settings come from them, not from the host.

The host configures through the environment, ``settings.toml``, and the command line or program that it starts.
Clients configure through a run's context, an assistant, or a thread's stored settings.
"""

from __future__ import annotations

import os
import sys

from backtrail.tools.access.api_keys import read_holders
from backtrail.tools.access.tokens import takes_tokens
from backtrail.tools.settings.switches import switched_on

SERVING = "BACKTRAIL_SERVING"
"""Set to yes in a program that runs graphs with settings of its clients."""

OPEN = "BACKTRAIL_OPEN"
"""Set to yes to let a server without keys answer other machines."""

ORIGINS = "BACKTRAIL_ORIGINS"
"""Comma-separated origins of pages that may use a server without keys from a browser on its machine."""

_SERVERS = ("langgraph_api", "aegra_api")
"""Packages of servers; once one is imported, this process counts as a server."""


def serving() -> bool:
    """Whether clients of a server start the runs of this process.

    Raises:
        SettingsError: the variable is neither yes nor no.
    """
    return switched_on(SERVING) or any(package in sys.modules for package in _SERVERS)


def opened() -> bool:
    """Whether a server without keys answers other machines.

    Raises:
        SettingsError: the variable is neither yes nor no.
    """
    return switched_on(OPEN)


def keys_of_providers() -> list[str]:
    """Names of the environment variables that hold an API key."""
    return sorted(name for name, value in os.environ.items() if name.endswith("_API_KEY") and value.strip())


def for_others() -> bool:
    """Whether anybody but this machine's user has access, or API keys could leak. Reads the file of keys.

    Raises:
        SettingsError: the file of keys cannot be used.
    """
    return opened() or takes_tokens() or bool(keys_of_providers()) or read_holders() is not None
