"""What calls cost: list prices in US dollars per million tokens, which a file of the user overrides.

``$BACKTRAIL_HOME/prices.toml`` adds models or corrects figures (``cached`` is optional):

    ["my-model"]
    input = 0.5
    output = 1.5
    cached = 0.05
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from backtrail.tools.errors import SettingsError


class Price(NamedTuple):
    """US dollars per million tokens; ``cached`` is for input the server had seen before."""

    input: float
    output: float
    cached: float


# Figures as remembered of the public price list in mid-2026: check them before you quote a cost.
LIST_PRICES: Mapping[str, Price] = {
    "gpt-5.5": Price(5.00, 30.00, 0.50),
    "gpt-5.4": Price(2.50, 15.00, 0.25),
    "gpt-5.4-mini": Price(0.75, 4.50, 0.075),
    "gpt-5.4-nano": Price(0.20, 1.25, 0.02),
    "gpt-5.2": Price(1.75, 14.00, 0.175),
    "gpt-5.1": Price(1.25, 10.00, 0.125),
    "gpt-5": Price(1.25, 10.00, 0.125),
    "gpt-5-mini": Price(0.25, 2.00, 0.025),
    "gpt-5-nano": Price(0.05, 0.40, 0.005),
    "gpt-4.1": Price(2.00, 8.00, 0.50),
    "gpt-4.1-mini": Price(0.40, 1.60, 0.10),
    "gpt-4.1-nano": Price(0.10, 0.40, 0.025),
    "gpt-4o": Price(2.50, 10.00, 1.25),
    "gpt-4o-mini": Price(0.15, 0.60, 0.075),
    "o3": Price(2.00, 8.00, 0.50),
    "o3-mini": Price(1.10, 4.40, 0.55),
    "o4-mini": Price(1.10, 4.40, 0.275),
}

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def price(
    model: str, input_tokens: int, output_tokens: int, cached_tokens: int = 0, prices: Mapping[str, Price] = LIST_PRICES
) -> float | None:
    """Cost of a call in US dollars, or None for a model without a known price.

    Args:
        model: the provider's name of the model.
        cached_tokens: how many of the input tokens were cached ones.
    """
    known = known_price(model, prices)
    if known is None:
        return None
    fresh = max(0, input_tokens - cached_tokens)
    return (fresh * known.input + cached_tokens * known.cached + output_tokens * known.output) / 1_000_000


def known_price(model: str, prices: Mapping[str, Price] = LIST_PRICES) -> Price | None:
    """The price of a model, or None; a dated name falls back on the undated one."""
    return prices.get(model) or prices.get(_DATED.sub("", model))


def load_prices(file: Path) -> Mapping[str, Price]:
    """List prices with those of the user's file on top. Reads the disk: not for event loops.

    Raises:
        SettingsError: the file is no TOML, or an entry lacks its figures.
    """
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LIST_PRICES
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}.") from error
    return {**LIST_PRICES, **{model: _price_of(file, model, entry) for model, entry in entries.items()}}


def _price_of(file: Path, model: str, entry: object) -> Price:
    if not isinstance(entry, dict):
        raise SettingsError(f'{file}: {model!r} must be a table; write ["{model}"] with input = … and output = ….')
    figures = {key: entry.get(key) for key in ("input", "output", "cached")}
    figures["cached"] = figures["input"] if figures["cached"] is None else figures["cached"]
    wrong = [key for key, value in figures.items() if not isinstance(value, int | float) or value < 0]
    if wrong:
        raise SettingsError(f"{file}: {model!r} needs input and output in dollars per million tokens; see {wrong}.")
    return Price(**{key: float(value) for key, value in figures.items() if value is not None})
