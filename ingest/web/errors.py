"""What ends the walk over a site before it began."""

from __future__ import annotations

from backtrail.ingest.errors import IngestError


class NoSuchSite(IngestError):
    """The address that was given is none, cannot be fetched, or leads to another site."""
