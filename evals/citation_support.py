"""Check which statements of an answer its citations support."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

Check = Callable[[list[str], str], Awaitable[list[bool]]]
"""For each statement, whether a text bears it out."""


class Standing(NamedTuple):
    """Statements of an answer and those that stand; its citations and those that are of use."""

    statements: int
    standing: int
    citations: int
    useful: int


async def standing(statements: list[str], quotes: Sequence[str], check: Check) -> Standing:
    """Citation recall and precision as ALCE counts them (Gao et al., 2023, section 3), for citations of a whole answer.

    A statement stands when all cited texts together bear it out. A citation is of use when it alone bears out a
    statement that stands, or when one falls without it. Ours: ALCE's citations belong to one sentence each, ours to
    the answer.
    """
    if not statements or not quotes:
        return Standing(len(statements), 0, len(quotes), 0)
    whole = await check(statements, "\n".join(quotes))
    held = [statement for statement, stands in zip(statements, whole, strict=True) if stands]
    useful = 0
    for place, quote in enumerate(quotes) if held else ():
        others = "\n".join([*quotes[:place], *quotes[place + 1 :]])
        useful += any(await check(held, quote)) or not others or not all(await check(held, others))
    return Standing(len(statements), len(held), len(quotes), useful)
