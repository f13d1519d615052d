"""Fingerprints of texts by their words, so that the same words in other markup compare equal.

Numbers keep their sign, unit and bound, and operators stay: "-5" is not "5", and "!=" not "==". Only a few words are
ignored: any other may be the difference between two texts.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?:[<>≤≥≠~]=?\s?)?(?:(?<!\w)[-−+±])?[$€£¥]?\d(?:[\d.,:/]*\d)?(?:\s?[%‰°€$£¥])?  # a number with sign, bound and unit
    |[!=<>]=|!(?=\w)|\+\+|&&|\|\||¬|[≠∧∨]
    |\w+
    """,
    re.VERBOSE,
)
_FILLERS = frozenset(
    {"a", "an", "the", "The", "this", "This", "that", "these", "These", "those", "also", "too", "please", "Please",
     "then", "just", "simply", "and", "&"}
)  # fmt: skip
"""Words that carry no fact. An "A" may be a name ("vitamin A")."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text without case and markup."""
    return tuple(_plain(match.group()) for match in _TOKEN.finditer(text))


def fact_words(text: str) -> tuple[str, ...]:
    """Return the words of a text without fillers."""
    return tuple(_plain(match.group()) for match in _TOKEN.finditer(text) if match.group() not in _FILLERS)


def _plain(token: str) -> str:
    return re.sub(r"\s+", "", token).replace("−", "-").casefold()
