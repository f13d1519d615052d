"""hugo.toml and its relatives; sections and weights stand in the pages themselves."""

from __future__ import annotations

from typing import Any

from backtrail.ingest.sites.configuration import flattened, folders, mapping, section, with_slash
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import Site

NAMES = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json")


def read_hugo(name: str, text: str, folder: str) -> Site | None:
    """The site of one configuration in a folder; None if it says nothing that a Hugo site has to say."""
    values = {key.lower(): value for key, value in mapping(name, text).items()}
    if name.startswith("config.") and not {"baseurl", "contentdir", "theme", "languages"} & values.keys():
        return None
    languages = section(values, "languages")
    content = [plain(_lowered(language).get("contentdir")) for language in languages.values()]
    content = [plain(values.get("contentdir")) or "content", *content]
    params = _lowered(section(values, "params"))
    return Site(
        folder=folder,
        flavour="hugo",
        name=plain(values.get("title")),
        base_url=with_slash(plain(values.get("baseurl"))),
        content=folders(folder, *filter(None, sorted(content, key=len, reverse=True))),
        static=folders(folder, "static", "assets"),
        snippets=folders(folder, ".", *content[:1]),
        templates=folders(folder, "layouts", "archetypes", "themes"),
        macros=False,
        variables=flattened(params),
    )


def bare_hugo(content: str, languages: list[str]) -> Site:
    """The site of a folder of content that came without its configuration."""
    folder = content.rpartition("/")[0]
    return Site(
        folder=folder,
        flavour="hugo",
        content=(*(f"{content}/{language}" for language in languages), content),
        static=folders(folder, "static", "assets"),
        snippets=folders(folder, "."),
        templates=folders(folder, "layouts", "archetypes", "themes"),
        macros=False,
    )


def _lowered(values: Any) -> dict[str, Any]:
    return {str(name).lower(): value for name, value in values.items()} if isinstance(values, dict) else {}
