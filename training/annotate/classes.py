"""Classes of a question, by which of its three forms the learner answers correctly (section 3.2)."""

from __future__ import annotations

from typing import Literal, get_args

from backtrail.state.vqa_planner.decisions import CLASSES, PathOption

PathClass = Literal["c1", "c2", "c3", "c4"]
PATH_CLASSES: tuple[PathClass, ...] = get_args(PathClass)
LETTERS: dict[PathClass, PathOption] = {label: letter for letter, label in CLASSES.items()}
CONFLICT = "wrong on the question, right on both its parts"


def class_of(question_right: bool, image_query_right: bool, gold_query_right: bool) -> PathClass | None:
    """Return the class, or None where the parts are right and the whole is not, which the paper excludes.

    Args:
        question_right: q, with its picture.
        image_query_right: q_i, with the picture: the model recognizes what is shown.
        gold_query_right: q_g: the model knows the facts.
    """
    if question_right:
        return "c1"
    if image_query_right and gold_query_right:
        return None
    if image_query_right:
        return "c2"
    return "c3" if gold_query_right else "c4"
