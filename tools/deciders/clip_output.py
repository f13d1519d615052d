"""Clip a reply to the lengths that its schema allows, and drop unknown keys.

A note that is a few words too long does not make the decision wrong, and asking again costs a whole call.
Identifiers are left alone: a field with a pattern or a choice of values is never cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from annotated_types import MaxLen
from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

ELLIPSIS = "…"


def within_bounds(model: type[BaseModel], reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reply without unknown keys; texts are cut at a word, lists after an entry."""
    fields: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        fields.update(dict.fromkeys([name, *_other_names(field)], field))
    return {
        name: _fitted(fields[name].annotation, _longest(fields[name].metadata), value)
        for name, value in reply.items()
        if name in fields
    }


def _other_names(field: FieldInfo) -> list[str]:
    alias = field.validation_alias
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return [one for one in choices if isinstance(one, str)]


def _longest(metadata: list[Any]) -> int | None:
    return next((one.max_length for one in metadata if isinstance(one, MaxLen)), None)


def _fitted(annotation: Any, longest: int | None, value: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        kinds = [one for one in get_args(annotation) if one is not type(None)]
        return _fitted(kinds[0], longest, value) if len(kinds) == 1 else value
    if isinstance(value, str):
        return _cut(value, longest) if annotation is str and longest is not None else value
    if isinstance(value, list) and get_origin(annotation) is list:
        entries = cast("list[Any]", value)[:longest]
        return [_fitted(get_args(annotation)[0], None, entry) for entry in entries]
    if isinstance(value, Mapping) and isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return within_bounds(annotation, cast("Mapping[str, Any]", value))
    return value


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    kept = text[: max(longest - len(ELLIPSIS), 0)]
    return (kept.rsplit(" ", 1)[0] or kept) + ELLIPSIS if longest else ""
