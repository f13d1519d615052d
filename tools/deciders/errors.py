"""Errors of recordings, scripts, provider packages and prices; those of models are in tools/errors.py."""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError, SettingsError


class MissingRecord(BacktrailError):
    """A replay has no record of a decision. No live call is made instead."""


class BrokenRecord(BacktrailError):
    """A recorded decision cannot be read, or its output no longer fits the decision."""


class ScriptExhausted(BacktrailError):
    """A script has no output left."""


class ProviderMissing(SettingsError):
    """The package of a model's provider is not installed.

    Args:
        model: the model as named in the settings.
        package: the distribution with the provider's client.
    """

    def __init__(self, model: str, package: str) -> None:
        super().__init__(f"{model} needs the package {package!r}. Install it with: pip install {package}")
        self.package = package


class PriceUnknown(SettingsError):
    """A ceiling of dollars is set, and the model has no known price. Nothing was sent.

    Args:
        model: the model's name in the price table.
        ceiling: the setting that cannot be enforced.
    """

    def __init__(self, model: str, ceiling: str = "budget.usd") -> None:
        super().__init__(
            f"{ceiling} cannot be kept: no price is known for {model!r}. Put it into prices.toml in Backtrail's home "
            f'(["{model}"], input = …, output = … in dollars per million tokens; 0 where it costs nothing), '
            "or bound calls and tokens in place of dollars."
        )
        self.model = model
