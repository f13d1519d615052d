"""Bring the pages at the top of the repository into the site, and point their links at its pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def on_files(files: Any, config: Any) -> Any:
    """Add README, CONTRIBUTING and CHANGELOG as pages."""
    for name in PAGES:
        files.append(File.generated(config, name, content=_within_docs(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links out of ``docs/`` lead to the pages above, and leave the text of those to source files."""
    depth = page.file.src_uri.count("/")
    top = "../" * depth
    for name in PAGES:
        markdown = markdown.replace(f"]({top}../{name}", f"]({top}{name}")
    return re.sub(rf"(?<!!)\[([^\]]+)\]\({re.escape(top)}\.\./[^)]+\)", r"\1", markdown)


def _within_docs(page: Path) -> str:
    """Return a page whose links to ``docs/`` are those of a page in it; other files are named only."""
    text = page.read_text(encoding="utf-8").replace("](docs/", "](")
    outside = "|".join(re.escape(path.name) for path in ROOT.iterdir() if path.name not in (*PAGES, "docs"))
    return re.sub(rf"(?<!!)\[([^\]]+)\]\((?:{outside})[^)]*\)", r"\1", text)
