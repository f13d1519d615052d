"""Validation of values against the state schema of a method.

LangGraph takes any value for any key. Clients may write invalid values into their runs, and stored runs may come from
another version; neither may crash anything.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Any, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from backtrail.graphs.methods import METHODS
from backtrail.tools.toolbox import Toolbox

Values = Mapping[str, Any]

MESSAGES = "messages"
"""Validated by LangChain, which takes many forms, and not here."""

_OVERWRITE = "__overwrite__"


def fitting(method: str, values: Values) -> tuple[dict[str, Any], dict[str, str]]:
    """Split a stored state into its valid values and a sentence per invalid key.

    The state of another application's thread is unknown, so all of it is valid.
    """
    shapes = _shapes(method) if method in METHODS else {}
    problems = {key: _problem(shapes[key], value) for key, value in values.items() if key in shapes}
    broken = {key: problem for key, problem in problems.items() if problem}
    return {key: value for key, value in values.items() if key not in broken}, broken


def unfit(values: Values) -> str:
    """Return what is wrong with values to write into a run of any method; empty if nothing."""
    every = [_shapes(method) for method in METHODS]
    for key, value in values.items():
        shapes = [shapes[key] for shapes in every if key in shapes]
        if key == MESSAGES:
            continue
        if not shapes:
            known = sorted({name for shapes in every for name in shapes})
            near = difflib.get_close_matches(str(key), known, n=3, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            return f"No method's state has {str(key)[:80]!r}.{hint}"
        problems = [_problem(shape, overwriting(value)) for shape in shapes]
        if all(problems):
            return f"{key!r} cannot be written: {problems[0]}"
    return ""


def overwriting(value: Any) -> Any:
    """Unwrap a value from LangGraph's overwrite wrapping, which JSON has as an object."""
    if not isinstance(value, Mapping):
        return value
    wrapping = cast("Mapping[str, Any]", value)
    if len(wrapping) == 1 and _OVERWRITE in wrapping:
        return wrapping[_OVERWRITE]
    return wrapping["value"] if wrapping.get("type") == _OVERWRITE and "value" in wrapping else wrapping


@cache
def _shapes(method: str) -> dict[str, TypeAdapter[Any]]:
    graph: Any = METHODS[method].build(Toolbox())
    hints = get_type_hints(graph.state_schema, include_extras=False)
    return {key: TypeAdapter(hint) for key, hint in hints.items() if key != MESSAGES}


def _problem(shape: TypeAdapter[Any], value: Any) -> str:
    try:
        shape.validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{f'{place}: ' if place else ''}{first['msg'][:1].lower()}{first['msg'][1:]}."
    except RecursionError:
        return "it is nested too deeply."
    return ""
