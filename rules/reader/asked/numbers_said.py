"""Numbers as they are said: in digits, with separators of thousands, with a k behind, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backtrail.language.vocabulary import NUMBER_WORDS

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SCALED = re.compile(rf"(?<![.\d])\b(a|an|\d{{1,6}}|{'|'.join(NUMBER_WORDS)})[ -]({'|'.join(_SCALES)})\b")
_THOUSAND = 1000


def numbers_said(text: str) -> list[str]:
    """Numbers of a text in digits: "1,000", "1k" and "a thousand" are one."""
    plain = re.sub(r"(?<=\d)k\b", "000", text.casefold()).replace(",", "")
    plain = _SCALED.sub(_times, plain)
    found = [number.rstrip(".") for number in _NUMBER.findall(plain)]
    return found + [str(NUMBER_WORDS[word]) for word in re.findall(r"[a-z]+", plain) if word in NUMBER_WORDS]


def _times(said: re.Match[str]) -> str:
    word = said[1]
    count = int(word) if word.isdecimal() else NUMBER_WORDS.get(word, 1)
    return str(count * _SCALES[said[2]])


def as_written(numbers: Iterable[str]) -> list[str]:
    """Numbers in digits as cells write them: each also with separators of thousands, round ones with a k."""
    found: list[str] = []
    for number in numbers:
        found.append(number)
        if number.isdecimal() and len(number) < 16 and int(number) >= _THOUSAND:
            value = int(number)
            found += [f"{value:,}", *([f"{value // _THOUSAND}k"] if value % _THOUSAND == 0 else [])]
    return found
