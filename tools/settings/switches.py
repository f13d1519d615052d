"""Boolean environment variables."""

from __future__ import annotations

import os

from backtrail.tools.errors import SettingsError

_YES, _NO = ("1", "yes", "true", "on"), ("0", "no", "false", "off")


def switched_on(variable: str, *, default: bool = False) -> bool:
    """Whether a switch is on; ``default`` if it is not set.

    Raises:
        SettingsError: it is neither yes nor no.
    """
    text = os.environ.get(variable, "").strip().casefold()
    if text and text not in (*_YES, *_NO):
        raise SettingsError(f"{variable}={text!r} is neither yes nor no.")
    return text in _YES if text else default
