"""Prices of calls: list prices in US dollars per million tokens, overridden by the user's file.

``$BACKTRAIL_HOME/prices.toml`` adds models or corrects figures (``cached`` and ``written`` are optional):

    ["my-model"]
    input = 0.5
    output = 1.5
    cached = 0.05
    written = 0.6
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from backtrail.tools.deciders.list_prices import LISTS, Price
from backtrail.tools.errors import SettingsError
from backtrail.tools.untrusted_values import read_toml

LIST_PRICES: Mapping[str, Price] = {model: one for listed in LISTS for model, one in listed.prices.items()}

# "gpt-4o-2024-08-06", "claude-sonnet-4-5-20250929", "gemini-3-flash-preview", "claude-opus-4-5-latest"
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|preview(?:-[\d-]+)?|latest)$")


def price(
    model: str,
    input_tokens: int,
    output_tokens: int,
    cached_tokens: int = 0,
    prices: Mapping[str, Price] = LIST_PRICES,
    *,
    written_tokens: int = 0,
) -> float | None:
    """Return the cost of a call in US dollars, or None for a model without a known price.

    Args:
        model: the provider's name of the model.
        cached_tokens: input tokens that were read from a cache.
        written_tokens: input tokens that were written to a cache.
    """
    known = known_price(model, prices)
    if known is None:
        return None
    fresh = max(0, input_tokens - cached_tokens - written_tokens)
    written = written_tokens * (known.written or known.input)
    return (fresh * known.input + cached_tokens * known.cached + written + output_tokens * known.output) / 1_000_000


def known_price(model: str, prices: Mapping[str, Price] = LIST_PRICES) -> Price | None:
    """Return the price of a model, or None; a dated name falls back to the undated one."""
    return prices.get(model) or prices.get(_DATED.sub("", model))


def halved(prices: Mapping[str, Price]) -> Mapping[str, Price]:
    """Return the prices of batches: half of each figure (OpenAI's discount)."""
    return {
        model: Price(one.input / 2, one.output / 2, one.cached / 2, one.written / 2) for model, one in prices.items()
    }


def load_prices(file: Path) -> Mapping[str, Price]:
    """Return list prices overridden by the user's file. Reads the disk: not for event loops.

    Raises:
        SettingsError: the file is not TOML, or an entry lacks figures.
    """
    try:
        entries = read_toml(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LIST_PRICES
    except ValueError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}.") from error
    return {**LIST_PRICES, **{model: _price_of(file, model, entry) for model, entry in entries.items()}}


def _price_of(file: Path, model: str, entry: object) -> Price:
    if not isinstance(entry, dict):
        raise SettingsError(f'{file}: {model!r} must be a table; write ["{model}"] with input = … and output = ….')
    figures = {key: entry.get(key) for key in ("input", "output", "cached", "written")}
    for key in ("cached", "written"):
        figures[key] = figures["input"] if figures[key] is None else figures[key]
    wrong = [key for key, value in figures.items() if not isinstance(value, int | float) or value < 0]
    if wrong:
        raise SettingsError(f"{file}: {model!r} needs input and output in dollars per million tokens; check {wrong}.")
    return Price(**{key: float(value) for key, value in figures.items() if value is not None})
