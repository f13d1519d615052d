"""Offered choices as enumerations in the JSON schema of a decision.

Source: ours. Bounded by what strict servers take: OpenAI's allow 1,000 values in a schema, and 15,000 characters in
an enumeration of more than 250. What would not fit is left open; the decision's check sees it anyway.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from backtrail.state.decision import Offers

MOST_VALUES = 900
MOST_CHARACTERS = 15_000


def narrowed(schema: dict[str, Any], offers: Offers, *, bounds: bool = False) -> dict[str, Any]:
    """A copy of a strict schema whose offered fields take nothing but the values offered.

    Args:
        bounds: whether a list may be held to be empty; otherwise one that nothing is offered for stays open.

    Raises:
        KeyError: the schema has no such field.
    """
    narrow = copy.deepcopy(schema)
    left = MOST_VALUES
    for path, values in offers.items():
        fits = len(values) <= left and sum(len(str(value)) for value in values) <= MOST_CHARACTERS
        if fits:
            left -= len(values)
            _narrow(narrow, narrow, path.split("."), list(dict.fromkeys(values)), bounds)
    return narrow


def _narrow(
    root: dict[str, Any], at: dict[str, Any], path: Sequence[str], values: list[str | int], bounds: bool
) -> None:
    """Hold the field at a path below ``at`` to the values; what it refers to is copied to its place first."""
    held = at["properties"]
    field = held[path[0]] = _resolved(root, held[path[0]])
    if len(path) > 1 and "anyOf" in field:
        field["anyOf"] = [_resolved(root, one) for one in field["anyOf"]]
        for one in field["anyOf"]:
            if "properties" in one:
                _narrow(root, {"properties": {path[0]: one}}, path, values, bounds)
    elif len(path) > 1:
        if "items" in field:
            field["items"] = _resolved(root, field["items"])
            if bounds and not values and _needs_a_value(field["items"], path[1]):
                field["maxItems"] = 0
        _narrow(root, field.get("items", field), path[1:], values, bounds)
    elif field.get("type") != "array":
        held[path[0]] = _value(field, values)
    elif values:
        field["items"] = _value(field["items"], values)
    elif bounds:
        field["maxItems"] = 0


def _needs_a_value(item: dict[str, Any], name: str) -> bool:
    field = item.get("properties", {}).get(name, {})
    return field.get("type") in ("string", "integer")


def _resolved(root: dict[str, Any], field: dict[str, Any]) -> dict[str, Any]:
    reference = field.get("$ref", "")
    return copy.deepcopy(root["$defs"][reference.rpartition("/")[2]]) if reference else field


def _value(field: dict[str, Any], values: list[str | int]) -> dict[str, Any]:
    """A field that takes one of the values; null stays where it may be null, and is all that is left without any."""
    if "anyOf" not in field:
        return {**_unbounded(field), "enum": values} if values else field
    nulls = [one for one in field["anyOf"] if one.get("type") == "null"]
    others = [{**_unbounded(one), "enum": values} for one in field["anyOf"] if one not in nulls and values]
    return {**field, "anyOf": others + nulls} if others or nulls else field


def _unbounded(field: dict[str, Any]) -> dict[str, Any]:
    """Lengths and ranges say nothing beside an enumeration, and some grammars refuse both together."""
    return {key: held for key, held in field.items() if key in ("type", "description")}
