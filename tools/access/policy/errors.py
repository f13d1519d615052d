"""What is wrong with a policy, and what a policy does not allow."""

from __future__ import annotations

from backtrail.tools.errors import SettingsError


class PolicyError(SettingsError):
    """The file of the policy cannot be used; the message names line, key and value."""


class PolicyRefused(SettingsError):
    """Whoever asks may not choose this here; the message names the setting, and what may be chosen."""


class QuotaReached(SettingsError):
    """What somebody may spend is spent, for now.

    Args:
        wait: seconds after which another try makes sense.
    """

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait
