"""Extensions: what other installed packages add by entry points.

The groups are ``backtrail.methods``, ``backtrail.parsers``, ``backtrail.vector_stores``, ``backtrail.search_providers``
and ``backtrail.tasks``. Only methods and parsers are imported before they are used. Authentication is never found this
way: the host of a server configures it.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, TypeVar

from backtrail.state.errors import BacktrailError

Group = Literal["methods", "parsers", "vector_stores", "search_providers", "tasks"]
T = TypeVar("T")

_log = logging.getLogger(__name__)


class ExtensionUnusable(BacktrailError):
    """An entry point of an installed package cannot be loaded or has the wrong type."""

    def __init__(self, group: Group, point: EntryPoint, problem: str) -> None:
        package = point.dist.name if point.dist else "an unknown package"
        super().__init__(
            f"The extension {point.name!r} of {package} (backtrail.{group}, {point.value}) cannot be used: {problem}. "
            f"Update the package, or remove it: pip uninstall {package}"
        )


@cache
def extensions(group: Group) -> dict[str, EntryPoint]:
    """Return the extensions of a group by name, sorted. The first of two with the same name is used."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=f"backtrail.{group}"), key=lambda point: point.name):
        if found.setdefault(point.name, point) is not point:
            _log.warning("Two packages provide backtrail.%s %r; %s is used", group, point.name, found[point.name].value)
    return found


def load_extension(group: Group, name: str, kind: type[T]) -> T:
    """Load what an entry point names.

    Raises:
        ExtensionUnusable: it cannot be imported, or is not a ``kind``.
    """
    point = extensions(group)[name]
    try:
        loaded = point.load()
    except Exception as error:
        raise ExtensionUnusable(group, point, f"{type(error).__name__}: {error}") from error
    if not isinstance(loaded, kind):
        raise ExtensionUnusable(group, point, f"it is a {type(loaded).__name__}, and must be a {kind.__name__}")
    return loaded


def load_extensions(group: Group, kind: type[T]) -> dict[str, T]:
    """Load all usable extensions of a group. Others are logged, and listed by ``backtrail doctor``."""
    loaded: dict[str, T] = {}
    for name in extensions(group):
        try:
            loaded[name] = load_extension(group, name, kind)
        except ExtensionUnusable as error:
            _log.warning("%s", error)
    return loaded
