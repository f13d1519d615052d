"""Addresses that pages and configurations claim: in front matter, by dates, by redirects, below the site's own."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from urllib.parse import quote, unquote, urlsplit

from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.jekyll import addresses_of
from backtrail.ingest.sites.page_heads import PageHead
from backtrail.ingest.sites.page_keys import is_index, normal_path, page_key, without_suffix
from backtrail.ingest.sites.site import NO_SITE, DocumentAt, Site

_POST = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-(.+)")


class SiteAddresses:
    """Which documents the addresses of the sites in a folder lead to.

    Args:
        sites: of the folder, innermost first.
        heads: what Markdown pages say of themselves, by document id.
        site_of: the site that a document belongs to.
        document_at: see ``SiteMap.document_at``.
    """

    def __init__(
        self,
        sites: Sequence[Site],
        heads: Mapping[str, PageHead],
        site_of: Callable[[str], Site],
        document_at: DocumentAt,
    ) -> None:
        self._sites = sites
        self._heads = heads
        self._site_of = site_of
        self._document_at = document_at

    def at(self, site: Site, path: str) -> str | None:
        """The document that claims an address, as a path from the web's root or from that of the site."""
        base = urlsplit(site.base_url).path.rstrip("/")
        below = path[len(base) :] if base and path.startswith(f"{base}/") else path
        claimed = self._claimed.get(site.folder if site is not NO_SITE else None, {})
        return claimed.get(page_key(below)) or self._redirected(site, below)

    def at_root(self, site: Site, path: str) -> str | None:
        """The document whose file stands for an address, as a path from the web's root."""
        base = urlsplit(site.base_url).path
        tail = unquote(path[len(base) :], errors="replace")
        for root in (*site.content, site.folder):
            place = normal_path(posixpath.join(root, tail))
            found = self._document_at(place, names_folder=path.endswith("/")) if place else None
            if found is not None:
                return found
        return None

    def _redirected(self, site: Site, path: str) -> str | None:
        now = self._redirects.get(site.folder, {}).get(page_key(path)) if site is not NO_SITE else None
        if now is None:
            return None
        for root in (*site.content, site.folder):
            place = normal_path(posixpath.join(root, now.partition("#")[0].lstrip("/")))
            found = self._document_at(place, names_folder=now.endswith("/")) if place else None
            if found is not None:
                return found
        return None

    @cached_property
    def _redirects(self) -> dict[str, dict[str, str]]:
        return {site.folder: {page_key(old): new for old, new in site.redirects.items()} for site in self._sites}

    @cached_property
    def _claimed(self) -> dict[str | None, dict[str, str]]:
        """Addresses from the site's root that pages name in their front matter, by site; None where there is none."""
        found: dict[str | None, dict[str, str]] = defaultdict(dict)
        for id_, head in self._heads.items():
            site = self._site_of(id_)
            claimed = found[site.folder if site is not NO_SITE else None]
            here = self.below_content(site, id_)
            own = plain(head.front.values.get("id")) if site.flavour == "docusaurus" else ""
            for address in filter(None, (head.front.address, own, *head.front.aliases)):
                claimed.setdefault(page_key(posixpath.join("/", posixpath.dirname(here), address)), id_)
            dated = _POST.fullmatch(without_suffix(posixpath.basename(id_)))
            if dated:
                slug = head.front.address.strip("/") or dated[4]
                folder = posixpath.dirname(here).replace("_posts", "").strip("/")
                claimed.setdefault(page_key(posixpath.join("/", folder, *dated.groups()[:3], slug)), id_)
            for address in addresses_of(site, here, head.front):
                claimed.setdefault(page_key(address), id_)
        return dict(found)

    def below_content(self, site: Site, id_: str) -> str:
        """A document's path from the site's root."""
        roots = [root for root in (*site.content, site.folder) if not root or id_.startswith(f"{root}/")]
        return id_[len(roots[0]) :].lstrip("/") if roots else id_

    def url(self, id_: str) -> str:
        """The public address of a page, where its generator makes it of the path alone; "" if that is not known."""
        site = self._site_of(id_)
        if not site.base_url or site.flavour not in ("mkdocs", "hugo", "mdbook", "sphinx"):
            return ""
        if not any(id_.startswith(f"{root}/") or not root for root in site.content):
            return ""
        head = self._heads.get(id_, PageHead()).front
        if head.address or any(name in head.values for name in ("slug", "permalink", "url")):
            return ""
        key = without_suffix(self.below_content(site, id_))
        if site.pretty:
            key = posixpath.dirname(key) if is_index(id_) else key
            key = f"{key.lower() if site.flavour == 'hugo' else key}/".lstrip("/")
        else:
            key = f"{key}.html"
        return site.base_url + quote(key)
