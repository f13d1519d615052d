"""Find the view of a kind of record: the class ``View`` of the file named after its key."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache

from backtrail.cli.show.records.view import View
from backtrail.graphs.method import Method
from backtrail.graphs.methods import METHODS


def views_of(method: Method | None) -> list[View]:
    """Return new views of a method's records in its order; none for a thread of another application."""
    return [_kind(key)(key) for key in method.records] if method else []


def all_views() -> list[View]:
    """Return new views of the records of all methods."""
    return [_kind(key)(key) for key in dict.fromkeys(key for method in METHODS.values() for key in method.records)]


@cache
def _kind(key: str) -> type[View]:
    file = f"backtrail.cli.show.records.{key}"
    return importlib.import_module(file).View if importlib.util.find_spec(file) else View
