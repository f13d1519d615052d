"""Which arguments of an ingest are sites of the web, and how far they are followed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.ingest.web.bounds import CrawlBounds


def apart(given: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Paths, and addresses of sites."""
    from backtrail.ingest.web.crawl import is_web_address

    paths = [Path(one) for one in given if not is_web_address(one)]
    return paths, [one for one in given if is_web_address(one)]


def chosen_bounds(sites: Sequence[str], **given: float | str | bool | None) -> CrawlBounds:
    """The bounds that were given, for those sites.

    Raises:
        SettingsError: a bound without a site, or one that is none.
    """
    from backtrail.ingest.web.bounds import CrawlBounds

    chosen = {name: value for name, value in given.items() if value is not None}
    if chosen and not sites:
        raise SettingsError("Options of sites need the address of one, such as https://example.org/docs/ beside them.")
    return CrawlBounds(**chosen)  # pyright: ignore[reportArgumentType]
