"""Find the sites of an ingested folder by the configurations that lie in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Any

from backtrail.ingest.sites.configuration import Configurations
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import Site

MOST_SITES = 1000
_NAMES = frozenset({"mkdocs.yml", "mkdocs.yaml", "hugo.toml", "hugo.yaml", "hugo.yml", "_config.yml", "_config.yaml"})
_ADDRESSES = ("site_url", "baseURL", "baseurl", "url")


def is_configuration(name: str) -> bool:
    """Whether a file of that name may configure a site."""
    return name in _NAMES


def find_sites(configurations: Configurations, names: Sequence[str]) -> list[Site]:
    """The sites below a folder, innermost first.

    Args:
        configurations: reads files of the ingested folder, and notes which exceed a limit.
        names: files for which ``is_configuration`` holds, relative to it.
    """
    found: dict[str, Site] = {}
    for path in names[:MOST_SITES]:
        folder = posixpath.dirname(path)
        site = _configured(configurations.values(path), folder)
        if site is not None:
            found.setdefault(folder, site)
    return sorted(found.values(), key=lambda site: -len(site.folder))


def _configured(values: dict[str, Any], folder: str) -> Site | None:
    """A site's address, whichever of the known names it has."""
    if not values:
        return None
    address = next((text for name in _ADDRESSES if (text := plain(values.get(name)))), "")
    return Site(folder, _with_slash(address))


def _with_slash(url: str) -> str:
    """A site's address with a slash at its end; empty unless it is one of the web."""
    return url.rstrip("/") + "/" if re.match(r"https?://[^/\s]+", url, re.I) else ""
