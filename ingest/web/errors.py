"""Error of a crawl that cannot start."""

from __future__ import annotations

from backtrail.ingest.errors import IngestError


class NoSuchSite(IngestError):
    """The start address is invalid, cannot be fetched, or redirects to another site."""
