"""Distinguish numbered names: "Voyager 1" and "Voyager 2" are different things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

_NUMBERED = re.compile(
    r"([^\W\d_][\w’'-]{0,60}) (?:v\.? ?|no\.? ?|# ?)?(\d{1,20}(?:\.\d{1,20}){0,5}|[IVX]{1,6})(?![\w.]*\w)"
)


def names_another(name: str, asked: str) -> bool:
    """Whether a name matches a name of the question except for its number: "Voyager 2" for "Voyager 1"."""
    meant, said = _numbers(asked), _numbers(name)
    return any(word in meant and not numbers & meant[word] for word, numbers in said.items())


@lru_cache(maxsize=512)  # each question is compared with every piece of evidence
def _numbers(text: str) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for word, number in _NUMBERED.findall(" ".join(text.split())):
        found[word.casefold()].add(number)
    return found
