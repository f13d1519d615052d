"""The view of each kind of record: the class ``View`` of the file that is called like the key."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache

from backtrail.cli.show.records.view import View
from backtrail.graphs.method import Method
from backtrail.graphs.methods import METHODS


def views_of(method: Method | None) -> list[View]:
    """New views of the records that a method has, in its order; none for a thread of another application."""
    return [_kind(key)(key) for key in method.records] if method else []


def all_views() -> list[View]:
    """New views of all records that any method has."""
    return [_kind(key)(key) for key in dict.fromkeys(key for method in METHODS.values() for key in method.records)]


@cache
def _kind(key: str) -> type[View]:
    file = f"backtrail.cli.show.records.{key}"
    return importlib.import_module(file).View if importlib.util.find_spec(file) else View
