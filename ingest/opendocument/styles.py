"""What the styles of a document say of its paragraphs: title, heading, code, bold; and which lists are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from backtrail.ingest.opendocument.names import FO, STYLE, TEXT

_HEADING = re.compile(r"heading(?:_20_|\s)?(\d{1,2})$", re.I)
_LONGEST_CHAIN = 30


class Styles:
    """The styles of a document by name.

    Args:
        roots: the parts that define them; later ones win.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self._parents: dict[str, str] = {}
        self._ways: dict[str, str] = {}
        self._numbered: set[str] = set()
        for root in roots:
            for style in root.iter(f"{STYLE}style"):
                name = style.get(f"{STYLE}name") or ""
                self._parents[name] = style.get(f"{STYLE}parent-style-name") or ""
                letters = style.find(f"{STYLE}text-properties")
                if letters is None:
                    continue
                shift = (letters.get(f"{STYLE}text-position") or "").split(" ")[0]
                if shift not in ("", "0%"):
                    self._ways[name] = "sub" if shift.startswith(("sub", "-")) else "sup"
                elif letters.get(f"{FO}font-weight") in ("bold", "600", "700", "800", "900"):
                    self._ways[name] = "b"
            for style in root.iter(f"{TEXT}list-style"):
                first = next(iter(style), None)
                if first is not None and first.tag == f"{TEXT}list-level-style-number":
                    self._numbered.add(style.get(f"{STYLE}name") or "")

    def is_title(self, name: str) -> bool:
        """Whether paragraphs of a style are the document's title."""
        return "Title" in self._chain(name)

    def heading(self, name: str) -> int | None:
        """The level of a paragraph that is a heading by its style alone."""
        found = (_HEADING.fullmatch(one) for one in self._chain(name))
        level = next((int(match[1]) for match in found if match), None)
        return level if level else 2 if "Subtitle" in self._chain(name) else None

    def is_code(self, name: str) -> bool:
        """Whether its text is kept as it is typed."""
        return any(one.startswith(("Preformatted", "Source_20_")) for one in self._chain(name))

    def is_bold(self, name: str) -> bool:
        """Whether its text is set in bold, or it is the style of a table's head."""
        return self.way(name) == "b" or "Table_20_Heading" in self._chain(name)

    def way(self, name: str) -> str:
        """ "sup", "sub" or "b" where the text of a style is raised, lowered or bold, else empty."""
        return next((self._ways[one] for one in self._chain(name) if one in self._ways), "")

    def is_numbered(self, name: str) -> bool:
        """Whether the items of a list of this style are counted."""
        return name in self._numbered

    def _chain(self, name: str) -> list[str]:
        """A style and those it is made from."""
        chain = [name]
        while (parent := self._parents.get(chain[-1], "")) and len(chain) < _LONGEST_CHAIN:
            chain.append(parent)
        return chain
