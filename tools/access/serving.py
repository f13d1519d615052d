"""Whether this process serves others. Then what a run's settings name is a client's word, not the host's.

The host speaks through the environment, ``settings.toml``, and the command line or program that it starts itself.
Clients of a server speak through a run's context, an assistant, a thread's stored settings.
"""

from __future__ import annotations

import os
import sys

from backtrail.tools.access.api_keys import read_holders
from backtrail.tools.access.tokens import takes_tokens
from backtrail.tools.settings.switches import switched_on

SERVING = "BACKTRAIL_SERVING"
"""Set to yes in a program of one's own that runs graphs with settings by others."""

OPEN = "BACKTRAIL_OPEN"
"""Set to yes, a server without keys answers everybody, not its own machine alone."""

ORIGINS = "BACKTRAIL_ORIGINS"
"""Origins of pages, comma-separated, that may ask a server without keys from a browser on its machine."""

_SERVERS = ("langgraph_api", "aegra_api")
"""Packages of servers that run graphs for their clients; loaded, they say that this process is one."""


def serving() -> bool:
    """Whether runs of this process are asked for by clients of a server.

    Raises:
        SettingsError: the variable is neither yes nor no.
    """
    return switched_on(SERVING) or any(package in sys.modules for package in _SERVERS)


def opened() -> bool:
    """Whether a server without keys is meant for everybody.

    Raises:
        SettingsError: the variable is neither yes nor no.
    """
    return switched_on(OPEN)


def keys_of_providers() -> list[str]:
    """Variables of the environment that hold a key to some service, by name."""
    return sorted(name for name, value in os.environ.items() if name.endswith("_API_KEY") and value.strip())


def for_others() -> bool:
    """Whether others than this machine's user may ask, or there is a key to lose. Reads the file of keys.

    Raises:
        SettingsError: the file of keys cannot be used.
    """
    return opened() or takes_tokens() or bool(keys_of_providers()) or read_holders() is not None
