"""Front matter of pages, in YAML (``---``) or TOML (``+++``)."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backtrail.ingest.sites.bounded_yaml import UnreadableYaml, load_yaml
from backtrail.tools.untrusted_values import ValueTooLarge, read_toml

LONGEST = 64 * 1024
"""Most characters of front matter, also with its aliases expanded (ours). A longer block is text."""

_OPENING = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.|\+\+\+)[ \t]*(?:\r?\n|\Z)", re.M)
_LINE = re.compile(r"""^([\w-]+)[ \t]*[:=][ \t]*(["']?)(.*?)\2[ \t]*\r?$""", re.M)


@dataclass(frozen=True)
class FrontMatter:
    """Front matter of one page.

    ``byline`` is author and date, in Markdown; ``values`` are all top-level entries, by lower-case name.
    """

    title: str = ""
    description: str = ""
    weight: float | None = None
    byline: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return front matter and the text behind it. A text that opens with a horizontal rule has none.

    Raises:
        ValueTooLarge: the front matter is nested too deep, or too large with its aliases expanded.
    """
    rule, inside, body = _divided(text)
    values = _values(inside, toml=rule == "+++") if rule else None
    return (FrontMatter(), text) if values is None else (_front_matter(values), body)


def without_front_matter(text: str) -> str:
    """Return the text behind front matter of any size."""
    try:
        return split_front_matter(text)[1]
    except ValueTooLarge:
        return _divided(text)[2]


def _divided(text: str) -> tuple[str, str, str]:
    """Return the opening rule ("" without front matter), the text between the rules, and the text behind."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end(), opening.end() + LONGEST) if opening else None
    if opening is None or closing is None:
        return "", "", text
    return opening[1], text[opening.end() : closing.start()], text[closing.end() :]


def _values(inside: str, *, toml: bool) -> dict[str, Any] | None:
    """Return the entries, line by line if the whole does not parse; None if it is no mapping."""
    try:
        values = read_toml(inside.replace("\r\n", "\n")) if toml else load_yaml(inside, LONGEST)
    except (tomllib.TOMLDecodeError, UnreadableYaml):
        values = {match[1]: match[3] for match in _LINE.finditer(inside)}
        return _lowered(values) if values else None
    if values is None and not inside.strip():
        return {}
    return _lowered(values) if isinstance(values, dict) else None


def _lowered(values: dict[Any, Any]) -> dict[str, Any]:
    return {str(name).lower(): value for name, value in values.items()}


def _front_matter(values: dict[str, Any]) -> FrontMatter:
    weight = next((values[name] for name in ("weight", "sidebar_position", "nav_order") if name in values), None)
    return FrontMatter(
        title=plain(values.get("title")),
        description=_first(values, ("description", "summary")),
        byline=_byline(values),
        weight=float(weight) if isinstance(weight, int | float) and abs(weight) < 1e9 else None,
        values=values,
    )


def _byline(values: Mapping[str, Any]) -> str:
    """Return author and date; "" without an author. Authors may be texts or mappings with a name."""
    authors = values.get("authors") or values.get("author")
    people = authors[:20] if isinstance(authors, list) else [authors]
    names = [plain(person.get("name") if isinstance(person, dict) else person) for person in people]
    date = values.get("date")
    day = date.isoformat()[:10] if isinstance(date, dt.date) else plain(date)
    written = ", ".join(filter(None, names))
    return f"By {written}{f', {day}' if day else ''}" if written else ""


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := plain(values.get(name)))), "")


def plain(value: Any) -> str:
    """Return a text or number as one line; "" for other values."""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return " ".join(str(value).split()) if is_plain else ""
