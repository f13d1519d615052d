"""The configuration of VitePress, which lies in a hidden folder: read as a text, never run."""

from __future__ import annotations

from backtrail.ingest.sites.configuration import folders, inside, literal
from backtrail.ingest.sites.site import Site

NAMES = ("config.ts", "config.js", "config.mts", "config.mjs")


def read_vitepress(text: str, folder: str) -> Site:
    """The site whose ``.vitepress`` lies in a folder."""
    source = inside(folder, literal(text, "srcDir") or ".") or ""
    return Site(
        folder=folder,
        flavour="vitepress",
        name=literal(text, "title"),
        content=(source,),
        static=folders(source, "public"),
        snippets=folders(source, "."),
        pretty=False,
        macros=True,
    )
