"""One-letter decisions, recognised by the type of their output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args, get_origin

from pydantic import BaseModel

_PROBABILITIES = "probabilities"


@dataclass(frozen=True)
class LetterField:
    """The field of the letter, its letters, and whether the output has a field for their probabilities."""

    name: str
    letters: tuple[str, ...]
    probabilities: bool

    def values(self, letter: str, probabilities: dict[str, float]) -> dict[str, object]:
        """Return the fields of an output with this letter."""
        return {self.name: letter, **({_PROBABILITIES: probabilities} if self.probabilities else {})}


def letter_field(output: type[BaseModel]) -> LetterField | None:
    """Return the letter field of an output without other required fields; None for every other output."""
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
