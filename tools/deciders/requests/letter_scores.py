"""Probabilities of the letters of a one-letter reply, from a server's token log probabilities."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backtrail.tools.deciders.letter_field import LetterField

MOST = 20
"""Requested alternatives per token: the maximum of OpenAI and vLLM."""
_AROUND = " \t\r\n\"'`*()[].,:}▁Ġ"
_BARE = re.compile(r"\W*(?:(?:option|answer|choice)\W*)?([A-Za-z])\W*", re.IGNORECASE)


@dataclass(frozen=True)
class TokenAlternatives:
    """A token of a reply and its alternatives with their log probabilities (natural logarithm)."""

    token: str
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LetterScores:
    """``probabilities`` of the letters, normalised to 1; ``mass``: their total probability before that."""

    probabilities: dict[str, float]
    total_probability: float


def parse_logprobs(logprobs: Any) -> tuple[TokenAlternatives, ...]:
    """Parse ``logprobs`` of a chat completion; empty if it is missing or malformed."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    places: list[TokenAlternatives] = []
    for one in content if isinstance(content, list) else ():
        try:
            likely = tuple((str(other["token"]), float(other["logprob"])) for other in one.get("top_logprobs") or ())
            places.append(TokenAlternatives(str(one["token"]), likely or ((str(one["token"]), float(one["logprob"])),)))
        except (AttributeError, KeyError, TypeError, ValueError):
            return ()
    return tuple(places)


def letter_scores(places: Sequence[TokenAlternatives], field: LetterField) -> LetterScores | None:
    """Return the probability of each letter at the position of the reply's letter; None if there is none.

    A letter's token may include quotes or spaces; tokens of words ("Because") are not counted.
    """
    text = "".join(place.token for place in places)
    at = _letter_at(text, field.name)
    if at is None:
        return None
    for place in places:
        if at < len(place.token):
            break
        at -= len(place.token)
    else:
        return None
    shares = dict.fromkeys(field.letters, 0.0)
    for token, score in place.likely:
        letter = token.strip(_AROUND)
        if letter in shares and not math.isnan(score):
            shares[letter] += math.exp(min(0.0, score))
    mass = sum(shares.values())
    if mass <= 0:
        return None
    return LetterScores({letter: share / mass for letter, share in shares.items()}, min(1.0, mass))


def _letter_at(text: str, name: str) -> int | None:
    found = re.search(rf'"{re.escape(name)}"\s*:\s*"([A-Za-z])"', text) or _BARE.fullmatch(text)
    return found.start(1) if found else None
