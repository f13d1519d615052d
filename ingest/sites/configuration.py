"""Files of a site's configuration: read within bounds, and never executed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backtrail.ingest.html.source import decode
from backtrail.ingest.sites.bounded_yaml import load_yaml
from backtrail.ingest.sites.front_matter import plain
from backtrail.tools.foreign_values import ValueTooLarge, read_json, read_toml

LARGEST = 2 * 1024 * 1024
"""Bytes of a configuration, also with its aliases written out (ours); navigation of ten thousand pages fits."""

MOST_VARIABLES = 10_000


@dataclass
class Configurations:
    """The configurations below an ingested folder; ``refused`` says by path which limit one of them exceeds."""

    root: Path
    refused: dict[Path, str] = field(default_factory=dict)

    def text(self, folder: str, name: str) -> str:
        """The text of a file; empty if it cannot be read, is too large or lies outside the ingested folder."""
        path = inside(folder, name)
        try:
            real = (self.root / (path or "")).resolve()
            if path is None or not real.is_relative_to(self.root.resolve()) or not real.is_file():
                return ""
            if real.stat().st_size <= LARGEST:
                return decode(real.read_bytes()) or ""
        except (OSError, ValueError, RuntimeError):  # a loop of links is a RuntimeError
            return ""
        self.refuse(folder, name, f"it is larger than {LARGEST // 2**20} MB")
        return ""

    def values(self, folder: str, name: str) -> dict[str, Any]:
        """The entries of a file; none if it cannot be read or exceeds a limit."""
        try:
            return mapping(name, self.text(folder, name))
        except ValueTooLarge as error:
            self.refuse(folder, name, str(error))
            return {}

    def refuse(self, folder: str, name: str, limit: str) -> None:
        """Note that a file is not read."""
        self.refused[self.root / folder / name] = f"this configuration is not read: {limit}"


def mapping(name: str, text: str) -> dict[str, Any]:
    """The entries of a TOML, JSON or YAML file, by its name; none if it cannot be read.

    Raises:
        ValueTooLarge: it is nested too deep, or too large with its aliases written out.
    """
    try:
        if name.endswith(".toml"):
            return read_toml(text)
        value = read_json(text) if name.endswith(".json") else load_yaml(text, LARGEST)
    except ValueTooLarge:
        raise
    except ValueError:
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
