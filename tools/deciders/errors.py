"""Errors of recordings and scripts; those of models are in tools/errors.py."""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError, SettingsError


class MissingRecord(BacktrailError):
    """A replay was asked for something that was never recorded. No live call is made instead."""


class BrokenRecord(BacktrailError):
    """A recorded decision that cannot be read, or whose output does not fit the decision any more."""


class ScriptExhausted(BacktrailError):
    """A script was asked for more than it holds."""


class ProviderMissing(SettingsError):
    """The package of a model's provider is not installed.

    Args:
        model: the model as it stands in the settings.
        package: the distribution that brings the provider's client.
    """

    def __init__(self, model: str, package: str) -> None:
        super().__init__(f"{model} needs the package {package!r}. Install it with: pip install {package}")
        self.package = package
