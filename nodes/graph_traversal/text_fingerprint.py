"""Fingerprint a text by its words, so that the same words in other markup compare equal.

Numbers keep their sign, unit and bound, and operators stay: "-5" is not "5", and "!=" not "==". Of words only a few
may be left out: any other may be what two texts differ in.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?:[<>≤≥≠~]=?\s?)?(?:(?<!\w)[-−+±])?[$€£¥]?\d(?:[\d.,:/]*\d)?(?:\s?[%‰°€$£¥])?  # a number with what belongs to it
    |[!=<>]=|!(?=\w)|\+\+|&&|\|\||¬|[≠∧∨]
    |\w+
    """,
    re.VERBOSE,
)
_FILLERS = frozenset(
    {"a", "an", "the", "The", "this", "This", "that", "these", "These", "those", "also", "too", "please", "Please",
     "then", "just", "simply", "and", "&"}
)  # fmt: skip
"""Words that no fact hangs on. An "A" may be a name ("vitamin A")."""


def spoken(text: str) -> tuple[str, ...]:
    """The words of a text without case and markup."""
    return tuple(_plain(match.group()) for match in _TOKEN.finditer(text))


def told(text: str) -> tuple[str, ...]:
    """The words of a text without those that no fact hangs on."""
    return tuple(_plain(match.group()) for match in _TOKEN.finditer(text) if match.group() not in _FILLERS)


def _plain(token: str) -> str:
    return re.sub(r"\s+", "", token).replace("−", "-").casefold()
