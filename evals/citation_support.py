"""Check which statements of an answer its citations support."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

Check = Callable[[list[str], str], Awaitable[list[bool]]]
"""Returns for each statement whether a text supports it."""


class Standing(NamedTuple):
    """Counts of statements, supported statements, citations and useful citations of an answer."""

    statements: int
    standing: int
    citations: int
    useful: int


async def standing(statements: list[str], quotes: Sequence[str], check: Check) -> Standing:
    """Count what citation recall and precision of ALCE need (Gao et al., 2023, section 3).

    A statement is supported when all cited texts together support it. A citation is useful when it alone supports one
    of these statements, or when one is no longer supported without it. Ours: ALCE's citations belong to one sentence
    each, ours to the whole answer.
    """
    if not statements or not quotes:
        return Standing(len(statements), 0, len(quotes), 0)
    whole = await check(statements, "\n".join(quotes))
    supported = [statement for statement, holds in zip(statements, whole, strict=True) if holds]
    useful = 0
    for place, quote in enumerate(quotes) if supported else ():
        others = "\n".join([*quotes[:place], *quotes[place + 1 :]])
        useful += any(await check(supported, quote)) or not others or not all(await check(supported, others))
    return Standing(len(statements), len(supported), len(quotes), useful)
