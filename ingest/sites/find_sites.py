"""Find the sites of an ingested folder by the configurations that lie in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from backtrail.ingest.sites.configuration import Configurations
from backtrail.ingest.sites.docusaurus import read_docusaurus
from backtrail.ingest.sites.hugo import NAMES as HUGO
from backtrail.ingest.sites.hugo import bare_hugo, project_folder, read_hugo, read_parts
from backtrail.ingest.sites.jekyll import read_jekyll
from backtrail.ingest.sites.mdbook import read_mdbook, source_folder
from backtrail.ingest.sites.mkdocs import read_mkdocs
from backtrail.ingest.sites.site import Site
from backtrail.ingest.sites.sphinx import read_sphinx
from backtrail.ingest.sites.vitepress import NAMES as VITEPRESS
from backtrail.ingest.sites.vitepress import read_vitepress
from backtrail.tools.foreign_values import ValueTooLarge

MOST_SITES = 1000
_DOCUSAURUS = re.compile(r"docusaurus\.config\.[cm]?[jt]s")
_SIDEBARS = ("sidebars.json", "sidebars.js", "sidebars.ts", "sidebars.cjs", "sidebars.mjs")
_REDIRECT = re.compile(r"^(/\S{0,500})[ \t]+(/\S{0,500})(?:[ \t]+\S.*)?$", re.M)


def is_configuration(name: str) -> bool:
    """Whether a file of that name may configure a site."""
    return name in _NAMES or _DOCUSAURUS.fullmatch(name) is not None


_NAMES = frozenset(
    {"mkdocs.yml", "mkdocs.yaml", "book.toml", "SUMMARY.md", "conf.py", "_config.yml", "_config.yaml", "_redirects"}
    | {*HUGO}
)


def find_sites(
    configurations: Configurations, names: Sequence[str], pages: Sequence[str], hidden: Sequence[str]
) -> list[Site]:
    """The sites below a folder, innermost first.

    Args:
        configurations: reads files of the ingested folder, and notes which exceed a limit.
        names: files for which ``is_configuration`` holds, relative to it.
        pages: all pages, relative to it.
        hidden: folders that hold a ``.vitepress``, relative to it.
    """
    found: dict[str, Site] = {}
    for path in sorted(names, key=lambda path: _RANK.get(posixpath.basename(path), 1)):
        folder, name = posixpath.split(path)
        site = _read(configurations, folder, name) if len(found) < MOST_SITES else None
        if site is not None:
            found.setdefault(site.folder, site)
    for folder in hidden[:MOST_SITES]:
        text = next(filter(None, (configurations.text(folder, f".vitepress/{name}") for name in VITEPRESS)), "")
        found.setdefault(folder, read_vitepress(text, folder))
    held = [f"{folder}/" for site in found.values() if site.flavour == "hugo" for folder in site.content]
    for site in _bare(pages):
        configured = found.get(site.folder)
        if configured is None:
            if not f"{site.folder}/".startswith(tuple(held)):  # else a section of that name
                found[site.folder] = site
        elif configured.flavour == "hugo":
            content = tuple(dict.fromkeys([*configured.content[:-1], *site.content]))
            found[site.folder] = replace(configured, content=content)
    redirected = [_with_redirects(site, configurations, names) for site in found.values()]
    return sorted(redirected, key=lambda site: -len(site.folder))


_RANK = {"_redirects": 3, "SUMMARY.md": 2, **dict.fromkeys(HUGO, 1), "mkdocs.yml": 0, "book.toml": 0}


def _read(configurations: Configurations, folder: str, name: str) -> Site | None:
    try:
        return _site_of(configurations, folder, name)
    except ValueTooLarge as error:
        configurations.refuse(folder, name, str(error))
        return None


def _site_of(configurations: Configurations, folder: str, name: str) -> Site | None:
    if name == "_redirects":
        return None
    text = configurations.text(folder, name)
    if name.startswith("mkdocs."):
        return read_mkdocs(name, text, folder)
    if name == "book.toml":
        return read_mdbook(text, folder, configurations.text(folder, f"{source_folder(text)}/SUMMARY.md"))
    if name == "SUMMARY.md":
        return None if _in_a_book(configurations.root, folder) else read_mdbook("", folder, text)
    if name in HUGO:
        project = project_folder(folder)
        parts = {} if project is None else read_parts(partial(configurations.values, project))
        return None if project is None else read_hugo(name, text, project, parts)
    if name == "conf.py":
        return read_sphinx(text, folder)
    if name.startswith("_config."):
        return read_jekyll(text, folder)
    sidebars = next(filter(None, (configurations.text(folder, bar) for bar in _SIDEBARS)), "")
    return read_docusaurus(text, folder, sidebars)


def _in_a_book(root: Path, folder: str) -> bool:
    """Whether a ``book.toml`` above, within the ingested folder, has this SUMMARY.md already."""
    here = root / folder
    return any((place / "book.toml").is_file() for place in (here, *here.parents) if place.is_relative_to(root))


def _bare(pages: Sequence[str]) -> Iterator[Site]:
    """Hugo's folders of content that came without configuration: ``content`` with ``_index.md`` in it."""
    languages: dict[str, set[str]] = {}
    for page in pages:
        head, middle, tail = f"/{page}".partition("/content/")  # the outermost: a section may be called so, too
        if middle and posixpath.basename(tail).startswith("_index."):
            first = tail.partition("/")[0]
            languages.setdefault(f"{head}/content".lstrip("/"), set()).update({first} if len(first) == 2 else set())
    for content, names in sorted(languages.items())[:MOST_SITES]:
        yield bare_hugo(content, sorted(names))


def _with_redirects(site: Site, configurations: Configurations, names: Sequence[str]) -> Site:
    """With the lines of a ``_redirects`` that belongs to the site; patterns are passed over."""
    places = {site.folder, *site.static, *site.content}
    lines: dict[str, str] = {}
    for path in names:
        folder, name = posixpath.split(path)
        if name == "_redirects" and folder in places:
            pairs = _REDIRECT.findall(configurations.text(folder, name))
            lines |= {former: now for former, now in pairs if "*" not in former and ":" not in former + now}
    return replace(site, redirects=lines | dict(site.redirects)) if lines else site
