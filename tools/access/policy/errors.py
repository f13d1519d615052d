"""Errors of the policy: an unusable file, a refused choice, a reached quota."""

from __future__ import annotations

from backtrail.tools.errors import SettingsError


class PolicyError(SettingsError):
    """The file of the policy cannot be used; the message names line, key and value."""


class PolicyRefused(SettingsError):
    """The policy refuses a choice; the message names the setting and what is allowed."""


class QuotaReached(SettingsError):
    """A quota or rate limit is reached.

    Args:
        wait: seconds until a retry makes sense.
    """

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait
