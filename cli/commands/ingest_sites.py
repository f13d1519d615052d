"""Separate the web sites among the arguments of an ingest and read their crawl bounds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.ingest.web.bounds import CrawlBounds


def apart(given: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Split arguments into paths and addresses of sites."""
    sites = [one for one in given if one.lower().startswith(("http://", "https://"))]
    return [Path(one) for one in given if one not in sites], sites


def chosen_bounds(sites: Sequence[str], **given: float | str | bool | None) -> CrawlBounds:
    """Return the crawl bounds from the options.

    Raises:
        SettingsError: a bound without a site, or an invalid bound.
    """
    from backtrail.ingest.web.bounds import CrawlBounds

    chosen = {name: value for name, value in given.items() if value is not None}
    if chosen and not sites:
        raise SettingsError("Options of sites need an address such as https://example.org/docs/ as PATH.")
    return CrawlBounds(**chosen)  # pyright: ignore[reportArgumentType]
