"""Decisions that are one letter out of a few: found by the type of their output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args, get_origin

from pydantic import BaseModel

_PROBABILITIES = "probabilities"


@dataclass(frozen=True)
class LetterField:
    """The field that takes the letter, the letters, and whether the output has room for their probabilities."""

    name: str
    letters: tuple[str, ...]
    probabilities: bool

    def values(self, letter: str, probabilities: dict[str, float]) -> dict[str, object]:
        """The fields of an output that takes this letter."""
        return {self.name: letter, **({_PROBABILITIES: probabilities} if self.probabilities else {})}


def letter_field(output: type[BaseModel]) -> LetterField | None:
    """The letter field of an output that asks for nothing else; None for every other output."""
    found: LetterField | None = None
    for name, field in output.model_fields.items():
        letters = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        if letters and all(isinstance(one, str) and len(one) == 1 and one.isalpha() for one in letters):
            if found is not None:
                return None
            found = LetterField(name, letters, _PROBABILITIES in output.model_fields)
        elif name != _PROBABILITIES and field.is_required():
            return None
    return found if found is not None and len(found.letters) > 1 else None
