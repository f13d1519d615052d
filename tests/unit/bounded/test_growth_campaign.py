"""The campaign of growth tells linear work from more, by a clock of its own here, and can call every rule."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from backtrail.rules.table import RULES
from campaigns.growth.exponents import BOUND, SIZES, growth
from campaigns.growth.filled_inputs import Filler, Unfillable
from campaigns.growth.functions import SPECIAL

BASE = 1_000


@pytest.mark.parametrize(
    ("work", "fast_enough"),
    [
        (lambda n: n, True),
        (lambda n: 1 + n / 100, True),
        (lambda n: n * math.log(n), True),
        (lambda n: n**1.5, False),
        (lambda n: n**2, False),
        (lambda n: n + n**2 / 1_000, False),
    ],
    ids=["n", "mostly constant", "n log n", "n^1.5", "n^2", "n^2 at length"],
)
def test_growth_beyond_n_log_n_is_reported(work: Callable[[int], float], fast_enough: bool) -> None:
    now = 0.0

    def reading(length: int) -> Callable[[], None]:
        def read() -> None:
            nonlocal now
            now += work(length) / 1e6

        return read

    grown = growth([reading(BASE * size) for size in SIZES], lambda: now)
    assert grown.fast_enough == fast_enough == (grown.exponent <= BOUND)


def test_every_rule_can_be_measured() -> None:
    for rule in RULES.values():
        try:
            Filler("a", SPECIAL).arguments(rule)
        except Unfillable as problem:
            pytest.fail(f"{rule}: {problem}; teach campaigns/growth/filled_inputs.py or SPECIAL to make it.")
