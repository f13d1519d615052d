"""The probabilities of the letters in a reply of a server that says how likely each of its tokens was."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backtrail.tools.deciders.letter_field import LetterField

MOST = 20
"""Tokens a place that are asked for: OpenAI and vLLM give no more."""
_AROUND = " \t\r\n\"'`*()[].,:}▁Ġ"
_BARE = re.compile(r"\W*(?:(?:option|answer|choice)\W*)?([A-Za-z])\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """A token of a reply, and how likely which tokens were in its place, as natural logarithms."""

    token: str
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LetterScores:
    """``probabilities`` of the letters, summing to 1 over them; ``mass``: the share of all that they held."""

    probabilities: dict[str, float]
    mass: float


def places_of(told: Any) -> tuple[Place, ...]:
    """What a chat completion says under ``logprobs``; nothing where it says nothing, or something else."""
    content = told.get("content") if isinstance(told, Mapping) else None
    places: list[Place] = []
    for one in content if isinstance(content, list) else ():
        try:
            likely = tuple((str(other["token"]), float(other["logprob"])) for other in one.get("top_logprobs") or ())
            places.append(Place(str(one["token"]), likely or ((str(one["token"]), float(one["logprob"])),)))
        except (AttributeError, KeyError, TypeError, ValueError):
            return ()
    return tuple(places)


def letter_scores(places: Sequence[Place], field: LetterField) -> LetterScores | None:
    """How likely each letter was where the reply has its letter; None where no such place is found.

    A letter's token may hold quotes or spaces beside it; one of a word ("Because") is not counted.
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
    held = dict.fromkeys(field.letters, 0.0)
    for token, score in place.likely:
        letter = token.strip(_AROUND)
        if letter in held and not math.isnan(score):
            held[letter] += math.exp(min(0.0, score))
    mass = sum(held.values())
    if mass <= 0:
        return None
    return LetterScores({letter: share / mass for letter, share in held.items()}, min(1.0, mass))


def _letter_at(text: str, name: str) -> int | None:
    found = re.search(rf'"{re.escape(name)}"\s*:\s*"([A-Za-z])"', text) or _BARE.fullmatch(text)
    return found.start(1) if found else None
