"""hugo.toml and its relatives; sections and weights stand in the pages themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backtrail.ingest.sites.configuration import flattened, folders, lowered, mapping, section, with_slash
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.site import Site

NAMES = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json")


PARTS = ("params", "languages", "module")
"""What may stand in files of their own in ``config/_default``."""

_DEFAULTS = "config/_default"
_SUFFIXES = ("toml", "yaml", "yml", "json")


def project_folder(folder: str) -> str | None:
    """The folder of the site that a configuration in a folder is of; None for one that is not in use by default."""
    if f"/{folder}".endswith(f"/{_DEFAULTS}"):
        return folder[: -len(_DEFAULTS)].rstrip("/")
    return None if f"/{folder}".rpartition("/")[0].endswith("/config") else folder


def read_parts(read: Callable[[str], dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What files in ``config/_default`` say, by part; ``read`` gives the entries of a file below the site's folder."""
    found: dict[str, dict[str, Any]] = {}
    for part in PARTS:
        files = (read(f"{_DEFAULTS}/{part}.{suffix}") for suffix in _SUFFIXES)
        found[part] = next(filter(None, files), {})
    return found


def read_hugo(name: str, text: str, folder: str, parts: Mapping[str, dict[str, Any]]) -> Site | None:
    """The site of one configuration in a folder; None if it says nothing that a Hugo site has to say."""
    values = {key.lower(): value for key, value in mapping(name, text).items()}
    values |= {part: {**said, **section(values, part)} for part, said in parts.items() if said}
    if name.startswith("config.") and not {"baseurl", "contentdir", "theme", "languages"} & values.keys():
        return None
    languages = {language: lowered(said) for language, said in section(values, "languages").items()}
    content = [plain(said.get("contentdir")) for said in languages.values()]
    content = [plain(values.get("contentdir")) or "content", *content, *_mounted(section(values, "module"))]
    spoken = languages.get(plain(values.get("defaultcontentlanguage")) or "en", {})
    params = lowered(values.get("params")) | lowered(spoken.get("params"))
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
        variables={name.lower(): value for name, value in flattened(params).items()},
    )


def _mounted(module: Mapping[str, Any]) -> list[str]:
    """Folders that become contents."""
    mounts = module.get("mounts")
    named = [lowered(mount) for mount in mounts[:1000]] if isinstance(mounts, list) else []
    return [plain(mount.get("source")) for mount in named if plain(mount.get("target")).strip("/") == "content"]


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
