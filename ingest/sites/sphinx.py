"""conf.py of Sphinx: read as a text, never run."""

from __future__ import annotations

import re

from backtrail.ingest.sites.configuration import folders, literal, with_slash
from backtrail.ingest.sites.site import Site

_SIGNS = re.compile(r"^(?:extensions|html_theme|master_doc|root_doc|source_suffix|myst_\w+)\s*=", re.M)


def read_sphinx(text: str, folder: str) -> Site | None:
    """The site of one ``conf.py``; None if that configures something else."""
    if not _SIGNS.search(text):
        return None
    return Site(
        folder=folder,
        flavour="sphinx",
        name=literal(text, "project"),
        base_url=with_slash(literal(text, "html_baseurl")),
        content=(folder,),
        static=folders(folder, "_static", "."),
        snippets=folders(folder, "."),
        pretty=False,
    )
