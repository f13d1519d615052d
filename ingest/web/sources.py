"""Sources to parse from a mirror."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.discover import Discovery, Source
from backtrail.ingest.kinds import PAGES, kind_of
from backtrail.ingest.sites.served_site import ServedSite
from backtrail.ingest.web.mirror import Mirror


def sources_of(mirror: Mirror) -> Discovery:
    """Return pages and documents by name; pictures are read with the pages that show them."""
    found, site = Discovery(), ServedSite(mirror.root, mirror.ledger.known())
    for address in mirror.ledger.held():
        path = mirror.path(address)
        kind = kind_of(Path(address.file))
        if kind is None or not path.is_file():
            continue
        if kind == "image":
            continue
        found.sources.append(Source(kind, path, address.file, mirror.root, site))
        if kind in PAGES:
            site.add_document(address.file, path)
    return found
