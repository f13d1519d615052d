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


class PriceUnknown(SettingsError):
    """A ceiling of dollars is set, and what the model costs is not known. Nothing was sent.

    Args:
        model: the model's name in the price table.
        ceiling: what cannot be kept.
    """

    def __init__(self, model: str, ceiling: str = "budget.usd") -> None:
        super().__init__(
            f"{ceiling} cannot be kept: no price is known for {model!r}. Put it into prices.toml in Backtrail's home "
            f'(["{model}"], input = …, output = … in dollars per million tokens; 0 where it costs nothing), '
            "or bound calls and tokens in place of dollars."
        )
        self.model = model
