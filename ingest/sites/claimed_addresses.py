"""Addresses that pages claim in their front matter, former ones too, and dates in the names of posts."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping

from backtrail.ingest.sites.page_heads import PageHead
from backtrail.ingest.sites.page_keys import nearest, page_key, without_suffix

_POST = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-(.+)")


class ClaimedAddresses:
    """Which pages claim an address.

    Args:
        heads: what Markdown pages say of themselves, by document id.
    """

    def __init__(self, heads: Mapping[str, PageHead]) -> None:
        self._by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for id_, head in heads.items():
            folder = posixpath.join("/", posixpath.dirname(id_))
            dated = _POST.fullmatch(without_suffix(posixpath.basename(id_)))
            for address in (
                head.front.address,
                *head.front.aliases,
                posixpath.join("/", *dated.groups()) if dated else "",
            ):
                if address and (key := page_key(posixpath.join(folder, address))):
                    self._by_name[posixpath.basename(key)].append((key, id_))

    def at(self, source: str, path: str) -> str | None:
        """The page nearest to another that claims a path, or of which one ends with the other."""
        asked = page_key(path)
        claimed = self._by_name.get(posixpath.basename(asked), ())
        found = [id_ for key, id_ in claimed if f"/{key}".endswith(f"/{asked}") or f"/{asked}".endswith(f"/{key}")]
        return nearest(found, source)
