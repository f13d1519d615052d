"""Failure records: what failed, where, and what the run did about it."""

from __future__ import annotations

from collections.abc import Iterable

from typing_extensions import TypedDict


class Failure(TypedDict):
    """One failed tool call or decision. The run continues; the answer says what was missing."""

    id: str
    node: str
    step: int
    error: str
    message: str


def merge_failures(current: list[Failure], new: list[Failure]) -> list[Failure]:
    """Reducer: append, each id once (idempotent under replay)."""
    seen = {failure["id"] for failure in current}
    return current + [failure for failure in new if failure["id"] not in seen]


MODEL_ERRORS = ("DecisionFailed", "ModelRefused")
"""Errors of a model that returned nothing usable."""


def failures_of_models(failures: Iterable[Failure]) -> list[Failure]:
    """Return the decisions for which a model returned nothing usable."""
    return [failure for failure in failures if failure["error"] in MODEL_ERRORS]
