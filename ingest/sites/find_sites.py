"""Finder of sites by the configurations in a folder, which are read within bounds, never executed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.ingest.html.source import decode
from backtrail.ingest.sites.bounded_yaml import load_yaml
from backtrail.ingest.sites.front_matter import plain
from backtrail.tools.untrusted_values import ValueTooLarge, read_toml

LARGEST = 2 * 1024 * 1024
"""Most bytes of a configuration, also with its aliases expanded (ours)."""

MOST_SITES = 1000
_NAMES = frozenset({"mkdocs.yml", "mkdocs.yaml", "hugo.toml", "hugo.yaml", "hugo.yml", "_config.yml", "_config.yaml"})
_ADDRESSES = ("site_url", "baseURL", "url")


@dataclass(frozen=True)
class Site:
    """Configuration of one site.

    Attributes:
        folder: folder of its configuration, relative to the ingested folder; "" for that folder.
        base_url: public address of the site's root, with a final slash; "" if unknown.
    """

    folder: str
    base_url: str


def is_configuration(name: str) -> bool:
    """Return whether a file of that name may configure a site."""
    return name in _NAMES


def find_sites(root: Path, names: Sequence[str]) -> tuple[list[Site], dict[Path, str]]:
    """Return the sites below a folder, innermost first, and why configurations are refused.

    Args:
        root: the ingested folder.
        names: files found in it for which ``is_configuration`` holds, relative to it.
    """
    found: dict[str, Site] = {}
    refused: dict[Path, str] = {}
    for name in names[:MOST_SITES]:
        try:
            values = _values(root / name)
        except ValueTooLarge as error:
            refused[root / name] = f"this configuration is not read: {error}"
            continue
        if values:
            address = next((text for key in _ADDRESSES if (text := plain(values.get(key)))), "")
            is_web = re.match(r"https?://[^/\s]+", address, re.I)
            folder = posixpath.dirname(name)
            found.setdefault(folder, Site(folder, address.rstrip("/") + "/" if is_web else ""))
    return sorted(found.values(), key=lambda site: -len(site.folder)), refused


def _values(path: Path) -> dict[str, Any]:
    """Return the entries of a TOML or YAML file; none if it cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueTooLarge(f"it is larger than {LARGEST // 2**20} MB")
        text = decode(path.read_bytes()) or ""
        value = read_toml(text) if path.suffix == ".toml" else load_yaml(text, LARGEST)
    except ValueTooLarge:
        raise
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
