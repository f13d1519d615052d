"""Find models without a known price, whose cost is reported as unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.deciders.prices import known_price, load_prices
from backtrail.tools.home import home
from backtrail.tools.settings.keys import ROLES

COST = "Cost"
"""Name of the scorer of dollars."""
_FREE = ("local", "recorded")


def unpriced(settings: Iterable[Settings]) -> list[str]:
    """Return the hosted models that the price table lacks, each once."""
    prices = load_prices(home() / "prices.toml")
    named = dict.fromkeys(getattr(one, role) for one in settings for role in ROLES)
    models = [parse_model_name(model) for model in named if model != OFFLINE]
    return [one.model for one in models if one.provider not in _FREE and known_price(one.model, prices) is None]


def unpriced_note(models: Sequence[str]) -> str:
    """Return a note that dollars are not counted, with the remedy; "" where all models have a price."""
    if not models:
        return ""
    return (
        f"Dollars are not counted: no price is known for {', '.join(models)}. Put it into prices.toml in Backtrail's "
        f'home (["{models[0]}"], input = …, output = … in dollars per million tokens; 0 where it costs nothing).'
    )
