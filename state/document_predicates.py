"""Grammar of ``documents``: ids, patterns of ids, and predicates such as ``tag:reports`` or ``under:guide/``.

Predicates of one field are alternatives; different fields restrict each other (ours, as facets of a search).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from backtrail.state.errors import InputRefused

ID = ""
"""Field of an entry that is an id or a pattern of ids."""
FIELDS = {
    "under": "under:FOLDER/",
    "tag": "tag:NAME",
    "section": "section:HEADING",
    "date": "date:2023..2024-06",
    "version": "version:2.*",
}
PREDICATES = ", ".join(FIELDS.values())
_DAY = r"(\d{4}(?:-\d\d){0,2})"
_DATES = re.compile(rf"{_DAY}|{_DAY}\.\.|\.\.{_DAY}|{_DAY}\.\.{_DAY}")
_FIELD = re.compile(r"([a-z]+):(?!/)\s*(.*)", re.DOTALL)


class PredicateInvalid(InputRefused):
    """A predicate with an unknown field or without a valid value; the message lists the possible ones."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(f"{text!r}: {problem}. Documents are named by ids, patterns (guide/*), or {PREDICATES}.")


class Predicate(NamedTuple):
    """One entry as written, with its field and value."""

    text: str
    field: str
    value: str


def read_predicate(entry: str) -> Predicate:
    """Read an entry of ``documents``. One with an unknown field is an id: an id may have a colon.

    Raises:
        PredicateInvalid: a predicate has no value, or one that is no date.
    """
    found = _FIELD.match(entry)
    if found is None or found[1] not in FIELDS:
        return Predicate(entry, ID, entry)
    field, value = found[1], found[2].strip()
    if not value:
        raise PredicateInvalid(entry, "the value is missing")
    if field == "date" and not _DATES.fullmatch(value):
        raise PredicateInvalid(entry, "a date is 2023, 2023-05 or 2023-05-31, or a range such as 2023..2024")
    return Predicate(entry, field, value)


def in_dates(value: str, day: str) -> bool:
    """Return whether a day, month or year (ISO) is in the range of a predicate, both ends included."""
    first, _, last = value.partition("..") if ".." in value else (value, "", value)
    return day >= first and (not last or day[: len(last)] <= last)


def split_entries(text: str) -> list[str]:
    """Split what a person wrote in one line at its commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def is_predicate(entry: str) -> bool:
    """Return whether an entry starts with a known field."""
    return _field(entry) in FIELDS


def check_field(predicate: Predicate) -> None:
    """Check an entry that names no document by its id.

    Raises:
        PredicateInvalid: it looks like a predicate, but its field is unknown.
    """
    if predicate.field == ID and (name := _field(predicate.text)):
        raise PredicateInvalid(predicate.text, f"there is no field {name!r}, and no document has this id")


def _field(entry: str) -> str:
    found = _FIELD.match(entry)
    return found[1] if found else ""
