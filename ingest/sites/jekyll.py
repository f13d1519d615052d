"""_config.yml of Jekyll and GitHub Pages."""

from __future__ import annotations

from backtrail.ingest.sites.configuration import flattened, folders, mapping, with_slash
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import Site


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
