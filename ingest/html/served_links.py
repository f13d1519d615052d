"""Resolve links and pictures of a page fetched from the web relative to its address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

from backtrail.ingest.html.links import CONTROL, DROPPED, SCHEME, LinkTargets
from backtrail.ingest.images import UnusablePicture
from backtrail.ingest.local_pictures import embedded_picture, shorten
from backtrail.ingest.parse_cache.trace_dependencies import record_file
from backtrail.ingest.sites.served_site import ServedSite
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Link


class ServedLinks(LinkTargets):
    """Resolver of the hrefs of one fetched page by the addresses of its site.

    Args:
        document_id: the page's id.
        address: address of the page.
        base: its ``<base href>``, relative to the address.
        site: mirror of the site.
    """

    def __init__(self, document_id: str, address: str, base: str, site: ServedSite) -> None:
        super().__init__(document_id)
        self.served_at = address
        self._base = _joined(address, base) or address
        self._site = site

    def link(self, href: str, anchor: str = "", row: int | None = None, column: int | None = None) -> Link | None:
        """Return the link of an href; None for scripts, data URLs and empty links."""
        href = CONTROL.sub("", href).strip()
        scheme = SCHEME.match(href)
        if not href or href == "#" or (scheme and scheme[1].lower() in DROPPED):
            return None
        if href.startswith("#"):
            return Link(target=self.document_id, anchor=anchor, row=row, column=column, component=unquote(href[1:]))
        if scheme and scheme[1].lower() not in ("http", "https"):
            return Link(target=href, anchor=anchor, row=row, column=column, kind="external")
        url = _joined(self._base, href)
        if url is None:
            return Link(target=href, anchor=anchor, row=row, column=column, kind="dead")
        page = self._site.document_served_at(url)
        fragment = unquote(urldefrag(url)[1], errors="replace")
        if page is not None:
            return Link(target=page, anchor=anchor, row=row, column=column, component=fragment or None)
        kind = "dead" if self._site.is_dead(url) else "external"
        return Link(target=url, anchor=anchor, row=row, column=column, kind=kind)

    def picture(self, source: str) -> Path | bytes:
        """Return the file of a picture, or its bytes if it is embedded.

        Raises:
            UnusablePicture: the picture was not fetched.
        """
        if source[:5].lower() == "data:":
            return embedded_picture(source)
        url = _joined(self._base, source)
        found = self._site.file_served_at(url) if url else None
        if found is not None:
            record_file(found)
            return found
        if url is None or not self._site.is_own(url):
            raise UnusablePicture(shorten(source), "pictures of other sites are not fetched", "Ingest them as files")
        raise UnusablePicture(shorten(source), "the site did not return the picture", "See the summary of the site")


def link_targets(document_id: str, base: str, site_map: SiteMap | None, saved_from: str = "") -> LinkTargets:
    """Return the link resolver of a page: by its address if it was fetched, else as a file of a folder.

    Args:
        base: its ``<base href>``.
        saved_from: canonical address of a saved page.
    """
    if isinstance(site_map, ServedSite) and (address := site_map.served_at(document_id)):
        return ServedLinks(document_id, address, base, site_map)
    return LinkTargets(document_id, base, site_map, saved_from)


def _joined(address: str, href: str) -> str | None:
    try:
        return urljoin(address, href)
    except ValueError:
        return None
