"""What the styles of a document say of its paragraphs: title, heading, code, caption; and which lists are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from backtrail.ingest.opendocument.names import FO, STYLE, TEXT

_HEADING = re.compile(r"heading(?:_20_|\s)?(\d{1,2})$", re.I)
_TYPED = re.compile(r"courier|mono|consolas|menlo|lucida console|typewriter", re.I)
_CAPTIONS = frozenset({"caption", "figure", "illustration", "table", "drawing", "text"})
_LONGEST_CHAIN = 30


class Styles:
    """The styles of a document by name.

    Args:
        roots: the parts that define them; later ones win.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self._parents: dict[str, str] = {}
        self._bold: set[str] = set()
        self._typed: set[str] = set()
        self._shifted: dict[str, str] = {}
        self._numbered: set[str] = set()
        for root in roots:
            for style in root.iter(f"{STYLE}style"):
                name = style.get(f"{STYLE}name") or ""
                self._parents[name] = style.get(f"{STYLE}parent-style-name") or ""
                letters = style.find(f"{STYLE}text-properties")
                if letters is not None and letters.get(f"{FO}font-weight") in ("bold", "600", "700", "800", "900"):
                    self._bold.add(name)
                shift = (letters.get(f"{STYLE}text-position") or "").split(" ")[0] if letters is not None else ""
                if shift not in ("", "0%"):
                    self._shifted[name] = "sub" if shift.startswith(("sub", "-")) else "sup"
                if letters is not None and _TYPED.search(letters.get(f"{STYLE}font-name") or ""):
                    self._typed.add(name)
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
        """Whether its text is code: set in letters of one width, or kept as it is typed for another reason."""
        return any(one in self._typed or one.startswith(("Preformatted", "Source_20_")) for one in self._chain(name))

    def is_caption(self, name: str) -> bool:
        """Whether its paragraphs are captions."""
        chain = self._chain(name)
        return any(one.casefold() == "caption" for one in chain[1:]) or (chain[0].casefold() in _CAPTIONS - {"text"})

    def is_bold(self, name: str) -> bool:
        """Whether its text is set in bold, or it is the style of a table's head."""
        return any(one in self._bold or one == "Table_20_Heading" for one in self._chain(name))

    def shift(self, name: str) -> str:
        """ "sup" or "sub" where the text of a style is raised or lowered, else empty."""
        return next((self._shifted[one] for one in self._chain(name) if one in self._shifted), "")

    def is_numbered(self, name: str) -> bool:
        """Whether the items of a list of this style are counted."""
        return name in self._numbered

    def _chain(self, name: str) -> list[str]:
        """A style and those it is made from."""
        chain = [name]
        while (parent := self._parents.get(chain[-1], "")) and len(chain) < _LONGEST_CHAIN:
            chain.append(parent)
        return chain
