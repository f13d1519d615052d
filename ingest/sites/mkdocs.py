"""mkdocs.yml: navigation, address, redirects, snippets and variables of MkDocs and Material for MkDocs."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.sites.configuration import flattened, folders, inside, mapping, section, with_slash
from backtrail.ingest.sites.front_matter import plain, texts
from backtrail.ingest.sites.site import NavEntry, Site

MOST_ENTRIES = 100_000
_DEEPEST = 20


def read_mkdocs(name: str, text: str, folder: str) -> Site | None:
    """The site of one ``mkdocs.yml`` in a folder; None if it says nothing."""
    values = mapping(name, text)
    if not values:
        return None
    docs = inside(folder, plain(values.get("docs_dir")) or "docs") or folder
    plugins = _options(values.get("plugins"))
    extensions = _options(values.get("markdown_extensions"))
    bases = [*texts(_given(extensions, "pymdownx.snippets", "base_path")), "."]
    bases += texts(_given(extensions, "mdx_include", "base_path"))
    redirects = section(plugins, "redirects", "redirect_maps")
    extra = section(values, "extra")
    return Site(
        folder=folder,
        flavour="mkdocs",
        name=plain(values.get("site_name")),
        base_url=with_slash(plain(values.get("site_url"))),
        content=(docs,),
        snippets=folders(folder, *bases),
        templates=folders(folder, *texts(section(values, "theme").get("custom_dir"))),
        pretty=values.get("use_directory_urls") is not False,
        macros=any(name.rpartition(".")[2] == "macros" for name in (*plugins, *extensions)),
        variables=flattened(extra) | flattened({n: values.get(n) for n in ("site_name", "site_url")}, "config."),
        redirects={str(former): target for former, now in redirects.items() if (target := plain(now))},
        nav=tuple(_nav(values.get("nav"), docs)),
    )


def _options(value: Any) -> dict[str, Any]:
    """Plugins or extensions by name, whichever of the two ways they are listed."""
    if isinstance(value, dict):
        return {str(name): options for name, options in value.items()}
    found: dict[str, Any] = {}
    for entry in value[:1000] if isinstance(value, list) else []:
        found |= {str(k): v for k, v in entry.items()} if isinstance(entry, dict) else {plain(entry): None}
    return found


def _given(options: dict[str, Any], name: str, key: str) -> Any:
    return section(options, name).get(key)


def _nav(value: Any, docs: str) -> list[NavEntry]:
    """The entries of ``nav`` in order, sections before what they hold."""
    entries: list[NavEntry] = []
    pending: list[tuple[str, Any, int]] = [("", entry, 0) for entry in _reversed(value)]
    while pending and len(entries) < MOST_ENTRIES:
        title, entry, depth = pending.pop()
        if isinstance(entry, dict):
            pending += [(plain(name), part, depth) for name, part in _reversed(list(entry.items()))]
        elif isinstance(entry, list):
            if depth < _DEEPEST:
                entries.append(NavEntry(title, "", depth))
                pending += [("", part, depth + 1) for part in _reversed(entry)]
        elif (path := plain(entry)) and "://" not in path:
            entries.append(NavEntry(title, inside(docs, path) or "", depth))
    return entries


def _reversed(value: Any) -> list[Any]:
    return value[:MOST_ENTRIES][::-1] if isinstance(value, list) else []
