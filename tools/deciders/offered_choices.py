"""Offered choices as enumerations in the JSON schema of a decision.

Choices of several fields are written once, among the definitions: servers count a schema as input.

Source: ours. Limits of strict servers: OpenAI allows 1,000 values in a schema, and 15,000 characters in an enumeration
of more than 250 values. Fields with more stay unconstrained; the decision's check validates them anyway.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from backtrail.state.decision import Offers

MOST_VALUES = 900
MOST_CHARACTERS = 15_000


def narrowed(schema: dict[str, Any], offers: Offers, *, bounds: bool = False) -> dict[str, Any]:
    """Return a copy of a strict schema whose offered fields accept only the offered values.

    Args:
        offers: by the path of a field, or by its definition: ``$defs.CitedPiece.component`` is that field everywhere.
        bounds: constrain lists without offered values to be empty; otherwise they stay unconstrained.

    Raises:
        KeyError: the schema has no such field.
    """
    narrow = copy.deepcopy(schema)
    left = MOST_VALUES
    for path, values in offers.items():
        if values is None:
            continue
        fits = len(values) <= left and sum(len(str(value)) for value in values) <= MOST_CHARACTERS
        if fits:
            left -= len(values)
            at, names = _start(narrow, path)
            _narrow(narrow, at, names, list(dict.fromkeys(values)), bounds)
            if bounds and not values and at is not narrow and _needs_a_value(at, names[0]):
                _empty_lists(narrow, path.split(".")[1])
    _share_enumerations(narrow)
    _drop_unused_definitions(narrow)
    return narrow


def without_left_out(schema: dict[str, Any], offers: Offers) -> dict[str, Any]:
    """Return a copy of a strict schema without the fields whose offers are None.

    Raises:
        KeyError: the schema has no such field.
    """
    kept = copy.deepcopy(schema)
    for path in (path for path, values in offers.items() if values is None):
        at, names = _start(kept, path)
        for name in names[:-1]:
            at = _object(kept, at["properties"][name])
        del at["properties"][names[-1]]
        at["required"].remove(names[-1])
    _drop_unused_definitions(kept)
    return kept


def _object(root: dict[str, Any], field: dict[str, Any]) -> dict[str, Any]:
    """Return the object schema that a field holds, also as an entry of a list and beside null."""
    forms = field.get("anyOf", [field.get("items", field)])
    found = next(form for form in forms if form.get("type") != "null")
    return root["$defs"][found["$ref"].rpartition("/")[2]] if "$ref" in found else found


def _start(root: dict[str, Any], path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the object that a path begins at, and the names below it."""
    names = path.split(".")
    return (root["$defs"][names[1]], names[2:]) if names[0] == "$defs" else (root, names)


def _empty_lists(root: dict[str, Any], definition: str) -> None:
    """Constrain lists of a definition to be empty."""
    for node in _objects(root):
        if node.get("items") == {"$ref": f"#/$defs/{definition}"}:
            node["maxItems"] = 0


def _narrow(
    root: dict[str, Any], at: dict[str, Any], path: Sequence[str], values: list[str | int], bounds: bool
) -> None:
    """Constrain the field at a path below ``at`` to the values; references on the path are replaced by copies."""
    properties = at["properties"]
    field = properties[path[0]] = _resolved(root, properties[path[0]])
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
        properties[path[0]] = _value(field, values)
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
    """Schema of a field that accepts one of the values, and null if it is nullable; without values only null."""
    if "anyOf" not in field:
        return {**_unbounded(field), "enum": values} if values else field
    nulls = [one for one in field["anyOf"] if one.get("type") == "null"]
    others = [{**_unbounded(one), "enum": values} for one in field["anyOf"] if one not in nulls and values]
    return {**field, "anyOf": others + nulls} if others or nulls else field


def _unbounded(field: dict[str, Any]) -> dict[str, Any]:
    """Drop lengths and ranges: an enumeration needs none, and some grammars reject the combination."""
    return {key: value for key, value in field.items() if key in ("type", "description")}


def _share_enumerations(schema: dict[str, Any]) -> None:
    """Define once each enumeration that is the whole or the beginning of several."""
    definitions = schema.setdefault("$defs", {})
    fields = [node for node in _objects(schema) if isinstance(node.get("enum"), list)]
    for values in sorted((field["enum"] for field in fields if len(field["enum"]) > 1), key=len):
        users = [field for field in fields if field.get("enum", [])[: len(values)] == values]
        if len(users) > 1:
            reference = {"$ref": f"#/$defs/values{len(definitions)}"}
            definitions[f"values{len(definitions)}"] = {"type": users[0]["type"], "enum": values}
            for field in users:
                rest = {"type": field["type"], "enum": field["enum"][len(values) :]}
                field.clear()
                field |= {"anyOf": [reference, rest]} if rest["enum"] else reference


def _drop_unused_definitions(schema: dict[str, Any]) -> None:
    """Drop definitions that narrowed copies have replaced."""
    definitions = schema.setdefault("$defs", {})
    while unused := set(definitions) - set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema))):
        for name in unused:
            del definitions[name]
    if not definitions:
        del schema["$defs"]


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _objects(part)
