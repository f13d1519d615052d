"""Files of a site's configuration: read within bounds, and never executed."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backtrail.ingest.html.source import decode
from backtrail.ingest.sites.bounded_yaml import UnreadableYaml, load_yaml
from backtrail.ingest.sites.front_matter import plain

LARGEST = 2 * 1024 * 1024
"""Bytes of a configuration that is read (ours); navigation of ten thousand pages fits."""

MOST_VARIABLES = 10_000


def read_configuration(path: Path, root: Path) -> str:
    """The text of a configuration; empty if it cannot be read, is too large or lies outside the ingested folder."""
    try:
        real = path.resolve()
        if not real.is_relative_to(root.resolve()) or not real.is_file() or real.stat().st_size > LARGEST:
            return ""
        return decode(real.read_bytes()) or ""
    except (OSError, ValueError, RuntimeError):  # a loop of links is a RuntimeError
        return ""


def mapping(name: str, text: str) -> dict[str, Any]:
    """The entries of a TOML, JSON or YAML file, by its name; none if it cannot be read."""
    try:
        if name.endswith(".toml"):
            return tomllib.loads(text)
        value = json.loads(text) if name.endswith(".json") else load_yaml(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, UnreadableYaml):
        return {}
    return value if isinstance(value, dict) else {}


def section(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The entries under nested names; none where one is missing or no mapping."""
    for name in names:
        inner = values.get(name)
        if not isinstance(inner, dict):
            return {}
        values = inner
    return dict(values)


def lowered(values: Any) -> dict[str, Any]:
    """Entries by their names in lower case; none of what is no mapping."""
    return {str(name).lower(): value for name, value in values.items()} if isinstance(values, dict) else {}


def flattened(values: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Texts and numbers of nested mappings by dotted name."""
    found: dict[str, str] = {}
    pending: list[tuple[str, Any, int]] = [(f"{prefix}{name}", value, 0) for name, value in values.items()]
    while pending and len(found) < MOST_VARIABLES:
        name, value, depth = pending.pop()
        if isinstance(value, dict) and depth < 5:
            pending += [(f"{name}.{inner}", part, depth + 1) for inner, part in list(value.items())[:1000]]
        elif text := plain(value):
            found[name] = text
    return found


def literal(text: str, name: str) -> str:
    """The text that a script gives a name (``url: 'https://…'`` or ``srcDir = "src"``); empty if it is computed."""
    match = re.search(rf"""\b{re.escape(name)}["']?\s*[:=]\s*(["'`])([^"'`$\n]{{0,500}})\1""", text)
    return match[2].strip() if match else ""


def inside(folder: str, *parts: str) -> str | None:
    """A path below the ingested folder, normalised; None if it leaves it. The folder itself is ""."""
    path = posixpath.normpath(posixpath.join(folder, *(part.strip().lstrip("/") for part in parts)))
    if path == ".." or path.startswith("../"):
        return None
    return "" if path == "." else path


def folders(folder: str, *names: str) -> tuple[str, ...]:
    """Folders below one, those outside the ingested folder left out."""
    found = (inside(folder, name) for name in names)
    return tuple(dict.fromkeys(path for path in found if path is not None))


def with_slash(url: str) -> str:
    """A site's address with a slash at its end; empty unless it is one of the web."""
    url = url.strip()
    return "" if not re.match(r"https?://[^/\s]+", url, re.I) else url.rstrip("/") + "/"
