"""Choose the path of a question by the needs of its words, and by references to a picture.

The rules see no picture, so they never know its content without a search.
"""

from __future__ import annotations

from backtrail.language.picture_references import points
from backtrail.rules.vqa_planner.appearance import Asked, asked_of_picture
from backtrail.rules.vqa_planner.features import is_english, stem_of
from backtrail.rules.vqa_planner.router import NEEDS, Need, shipped_router
from backtrail.rules.vqa_planner.surface_features import need_by_marks
from backtrail.state.vqa_planner.decisions import (
    OPTIONS,
    ChooseOrAnswerInputs,
    ChoosePathInputs,
    PathChoice,
    PathOption,
    PathOrAnswer,
)

# Confidence of the surface features, about their accuracy on held-out questions.
_BY_MARKS = 0.7
_BY_ASKED: dict[Asked, str] = {
    "looks": ", and how the picture looks is asked",
    "identity": ", and what the picture shows is asked",
}
_WHY: dict[PathOption, str] = {
    "A": "nothing has to be looked up",
    "B": "it has to be found out what is seen",
    "C": "facts have to be found in texts",
    "D": "it has to be found out what is seen, and then facts about it",
}


def choose_path(inputs: ChoosePathInputs) -> PathChoice:
    """Return the most likely path, with the probabilities of all four."""
    needs, by = _needs(inputs.question)
    pointing = points(stem_of(inputs.question))
    asked = asked_of_picture(inputs.question) if inputs.has_picture else None
    shares = path_probabilities(needs, has_picture=inputs.has_picture, pointing=pointing, asked=asked)
    option = max(OPTIONS, key=lambda one: shares[one])
    marked = _BY_ASKED.get(asked, "") if asked else ""
    return PathChoice(option=option, probabilities={**shares}, why=f"By {by}, {_WHY[option]}{marked}.")


def choose_or_answer(inputs: ChooseOrAnswerInputs) -> PathOrAnswer:
    """Choose the same path; rules write no answer here."""
    chosen = choose_path(inputs)
    return PathOrAnswer(option=chosen.option, why=chosen.why)


def path_probabilities(
    needs: dict[Need, float], *, has_picture: bool, pointing: bool, asked: Asked | None = None
) -> dict[PathOption, float]:
    """Return path probabilities from need probabilities; they sum to 1 as those do.

    No question is labelled as needing both, so D is derived: it takes the lesser of image and text, half from
    each, and wins if the lesser is more than two thirds of the greater. A question that refers to its picture needs a
    search for it, so "C" becomes "D" and "A" becomes "B", or "D" if it asks for facts. Texts do not describe the given
    picture, and similar pictures show its content: A, or B. Without a picture only words can be searched.
    """
    alone, image, text = needs["none"], needs["image"], needs["text"]
    if not has_picture:
        return {"A": alone, "B": 0.0, "C": image + text, "D": 0.0}
    if asked == "looks":
        return {"A": alone + text + image / 2, "B": image / 2, "C": 0.0, "D": 0.0}
    if asked == "identity":
        return {"A": alone / 2, "B": image + text + alone / 2, "C": 0.0, "D": 0.0}
    common = min(image, text)
    shares: dict[PathOption, float] = {
        "A": alone, "B": image - common / 2, "C": text - common / 2, "D": common
    }  # fmt: skip
    if pointing and asked == "facts":
        return {"A": 0.0, "B": image / 2, "C": 0.0, "D": alone + text + image / 2}
    if pointing:
        shares = {"A": 0.0, "B": shares["A"] + shares["B"], "C": 0.0, "D": shares["C"] + shares["D"]}
    return shares


def _needs(question: str) -> tuple[dict[Need, float], str]:
    if is_english(question):
        return shipped_router().probabilities(question), "the router"
    told = need_by_marks(question)
    rest = (1 - _BY_MARKS) / (len(NEEDS) - 1)
    return {need: _BY_MARKS if need == told else rest for need in NEEDS}, "surface marks, for the router reads English"
