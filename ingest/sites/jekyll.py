"""_config.yml of Jekyll and GitHub Pages."""

from __future__ import annotations

import posixpath
import re

from backtrail.ingest.sites.configuration import flattened, folders, mapping, with_slash
from backtrail.ingest.sites.front_matter import FrontMatter, plain
from backtrail.ingest.sites.page_keys import without_suffix
from backtrail.ingest.sites.site import Site

_POST = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)-(?P<title>.+)")


def read_jekyll(text: str, folder: str) -> Site | None:
    """The site of one ``_config.yml``; None if it says nothing."""
    values = mapping("_config.yml", text)
    if not values:
        return None
    base = with_slash(plain(values.get("url")))
    return Site(
        folder=folder,
        flavour="jekyll",
        name=plain(values.get("title")),
        base_url=base and with_slash(base + plain(values.get("baseurl")).strip("/")),
        content=(folder,),
        snippets=folders(folder, "_includes", "."),
        templates=folders(folder, "_includes", "_layouts"),
        macros=True,
        variables=flattened(values, "site."),
    )


def addresses_of(site: Site, path: str, front: FrontMatter) -> list[str]:
    """Where Jekyll shows a page of a collection: at the pattern that its configuration gives, else below its name.

    Args:
        path: of the file, from the site's root: ``_tutorials/navigation.md`` is shown at ``/tutorials/navigation/``.
    """
    collection, _, rest = path.partition("/")
    if site.flavour != "jekyll" or not collection.startswith("_") or not rest:
        return []
    name, below = collection[1:], without_suffix(rest)
    pattern = site.variables.get(f"site.collections.{name}.permalink", "")
    if name == "posts":
        pattern = pattern or site.variables.get("site.permalink", "")
    dated = _POST.fullmatch(posixpath.basename(below))
    values = dated.groupdict() if dated else {}
    values |= {"collection": name, "path": below, "name": posixpath.basename(below), "slug": posixpath.basename(below)}
    values["title"] = plain(front.values.get("slug")) or values.get("title", values["name"])
    shown = re.sub(r":(\w+)", lambda part: values.get(part[1], ""), pattern) if pattern.startswith("/") else ""
    return [address for address in (shown, f"/{name}/{below}") if address]
