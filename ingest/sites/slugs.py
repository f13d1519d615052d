"""The ids that generators give headings, so that links to ``#a-heading`` lead there whoever wrote them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from backtrail.ingest.sites.site import Flavour

_VITEPRESS = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")


def github(heading: str) -> str:
    """GitHub, and with it Docusaurus, Hugo, mdBook and MyST: punctuation dropped, each space a hyphen."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def mkdocs(heading: str) -> str:
    """Python-Markdown: accents and other scripts dropped, runs of spaces and hyphens one hyphen."""
    plain = re.sub(r"[^\w\s-]", "", _ascii(heading)).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


def sphinx(heading: str) -> str:
    """docutils: runs of anything but Latin letters and digits one hyphen, and a letter first."""
    return re.sub(r"[^a-z0-9]+", "-", _ascii(heading.lower())).strip("-").lstrip("0123456789-")


def vitepress(heading: str) -> str:
    """VitePress: accents off, runs of punctuation one hyphen, an underscore before a digit."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", heading) if not unicodedata.combining(c))
    slug = _VITEPRESS.sub("-", letters).strip("-").lower()
    return f"_{slug}" if slug[:1].isdigit() else slug


def jekyll(heading: str) -> str:
    """kramdown: what stands before the first letter dropped, then like GitHub but Latin only."""
    kept = re.sub(r"[^a-z0-9 \-]", "", heading.strip().lower())
    return kept.lstrip("0123456789 -").replace(" ", "-")


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


_Rule = Callable[[str], str]
_RULES: tuple[tuple[_Rule, str], ...] = (
    (github, "-"), (mkdocs, "_"), (sphinx, "-"), (vitepress, "-"), (jekyll, "-"),
)  # fmt: skip
"""Rule and what stands before the number of a second heading of the same id."""
_OF: dict[Flavour, _Rule] = {"mkdocs": mkdocs, "sphinx": sphinx, "vitepress": vitepress, "jekyll": jekyll}


def heading_ids(headings: Sequence[str], flavour: Flavour) -> list[list[str]]:
    """For each heading the ids that links may use for it, that of the site's own generator first.

    An id that is the own id of one heading is never another's as well.
    """
    own_rule = _OF.get(flavour, github)
    rules = sorted(_RULES, key=lambda rule: rule[0] is not own_rule)
    by_rule = [_numbered([rule(heading) for heading in headings], mark) for rule, mark in rules]
    own = set(by_rule[0])
    return [
        list(dict.fromkeys(name for i, name in enumerate(names) if name and (i == 0 or name not in own)))
        for names in zip(*by_rule, strict=True)
    ]


def _numbered(slugs: Sequence[str], mark: str) -> list[str]:
    """Slugs as they come on one page: the second of a kind has a number behind it."""
    seen: Counter[str] = Counter()
    numbered: list[str] = []
    for slug in slugs:
        count = seen[slug]
        seen[slug] += 1
        numbered.append(f"{slug}{mark}{count}" if count and slug else slug)
    return numbered
