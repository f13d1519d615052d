"""Find the kinds of record of a method that contribute to results."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache

from backtrail.evals.records.record_kind import Kind
from backtrail.graphs.method import Method


def kinds_of(method: Method) -> list[Kind]:
    """Return the kinds in the order of the method's row; a kind without a file contributes nothing."""
    return [kind for key in method.records if (kind := _kind(key))]


@cache
def _kind(key: str) -> Kind | None:
    file = f"backtrail.evals.records.{key}"
    return importlib.import_module(file).KIND if importlib.util.find_spec(file) else None
