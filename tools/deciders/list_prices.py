"""List prices of providers in US dollars per million tokens, with source and date.

Prices change and depend on tier and prompt length: check them before you quote a cost, and correct them in
``$BACKTRAIL_HOME/prices.toml``. For models that cost more with long prompts, the price for short ones is listed.
"""

from __future__ import annotations

from typing import NamedTuple


class Price(NamedTuple):
    """US dollars per million tokens.

    ``cached`` is for input read from the server's cache, ``written`` for input written to it; 0 means the price of
    other input. Reasoning tokens count as output.
    """

    input: float
    output: float
    cached: float
    written: float = 0.0


class PriceList(NamedTuple):
    """The prices of one provider with their source and date (year-month-day; "" unknown)."""

    source: str
    date: str
    prices: dict[str, Price]


OPENAI = PriceList(
    "as remembered of https://platform.openai.com/docs/pricing", "",
    {
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
    },
)  # fmt: skip
ANTHROPIC = PriceList(
    "https://platform.claude.com/docs/en/about-claude/pricing (a stored copy; writing is that of the 5-minute cache)",
    "2026-11-22",
    {
        "claude-opus-5": Price(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-8": Price(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-7": Price(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-6": Price(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-5": Price(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-1": Price(15.00, 75.00, 1.50, 18.75),
        "claude-sonnet-4-6": Price(3.00, 15.00, 0.30, 3.75),
        "claude-sonnet-4-5": Price(3.00, 15.00, 0.30, 3.75),
        "claude-haiku-4-5": Price(1.00, 5.00, 0.10, 1.25),
        "claude-3-5-haiku": Price(0.80, 4.00, 0.08, 1.00),
    },
)  # fmt: skip
GOOGLE = PriceList(
    "stored pages that quote https://ai.google.dev/gemini-api/docs/pricing (cached input at a tenth)",
    "2026-11-22",
    {
        "gemini-3.5-flash": Price(1.50, 9.00, 0.15),
        "gemini-3.1-pro": Price(2.00, 12.00, 0.20),
        "gemini-3.1-flash-lite": Price(0.25, 1.50, 0.025),
        "gemini-3-flash": Price(0.50, 3.00, 0.05),
        "gemini-2.5-pro": Price(1.25, 10.00, 0.125),
        "gemini-2.5-flash": Price(0.30, 2.50, 0.03),
        "gemini-2.5-flash-lite": Price(0.10, 0.40, 0.01),
    },
)  # fmt: skip
LISTS = (OPENAI, ANTHROPIC, GOOGLE)
