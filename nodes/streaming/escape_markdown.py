"""Escape text for Markdown, so that no client renders text of documents or models as markup.

CommonMark, GitHub's additions and the dollar signs of mathematics are escaped; what some clients turn into links by
themselves (addresses, mail) is broken by a word joiner, which nobody sees; characters that turn the direction of
reading are left out.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

_ACTIVE = frozenset("\\`*_[]<>&~$|")
_AT_LINE_START = frozenset("#+-=")
_JOINER = "\u2060"
_ESCAPED = re.compile(r"\\(.)")
_UNSEEN = frozenset(("Cc", "Cs"))
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LOOKED_BACK = 32
_ADDRESS_CHARACTERS = 2_000
_KEPT_IN_ADDRESS = "/:?#@!$&'*+,;=%~-._"
_SCHEMES = ("http", "https")


class Escaper:
    """Escapes a text that comes piece by piece: the pieces' outcomes together are the outcome of the whole.

    White space is held back until something follows it, so that none stands at the beginning, at the end, or before a
    line, where it would have a meaning.
    """

    def __init__(self) -> None:
        self._line = ""  # what the line has so far, unescaped
        self._ends = 0  # line ends that wait
        self._space = False
        self._begun = False

    def feed(self, piece: str) -> str:
        """The piece, escaped."""
        told: list[str] = []
        for character in piece:
            if character == "\n":
                self._ends, self._space = self._ends + 1, False
            elif character.isspace():
                self._space = True
            elif unicodedata.category(character) not in _UNSEEN and character not in _TURNING:
                told += [self._between(), self._escaped(character)]
        return "".join(told)

    def _between(self) -> str:
        """The white space before a character: a space, a line end that stays one, or an empty line."""
        ends, space = self._ends if self._begun else 0, self._space and self._begun
        self._ends, self._space, self._begun = 0, False, True
        if ends:
            self._line = ""
            return "  \n" if ends == 1 else "\n\n"
        self._line += " " * space
        return " " * space

    def _escaped(self, character: str) -> str:
        line = self._line
        self._line = (line + character)[-_LOOKED_BACK:]
        if character in _ACTIVE or (not line and character in _AT_LINE_START):
            return f"\\{character}"
        if character in ".)" and line.isdecimal():
            return f"\\{character}"
        if (character == "/" and line.endswith(":")) or (character == "." and line[-3:].lower() == "www"):
            return f"{_JOINER}{character}"
        return f"{_JOINER}@" if character == "@" else character


def prose(text: str) -> str:
    """A text of several lines; its line ends stay."""
    return Escaper().feed(text.strip())


def unescaped(markdown: str) -> str:
    """The text that was escaped, or its beginning where that is all there is of it as yet."""
    text = _ESCAPED.sub(r"\1", markdown.replace(_JOINER, ""))
    return text.replace("  \n", "\n")


def line(text: str) -> str:
    """A text as one line."""
    return Escaper().feed(" ".join(text.split()))


def address(url: str) -> str:
    """An address that a link may lead to; empty for everything but http and https, and for what is no address."""
    url = url.strip()
    if not url or len(url) > _ADDRESS_CHARACTERS:
        return ""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in _SCHEMES and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return ""
    return quote(url, safe=_KEPT_IN_ADDRESS) if sound else ""


def link(text: str, url: str) -> str:
    """A link, or the text alone where there is no address to lead to."""
    return f"[{line(text)}](<{found}>)" if (found := address(url)) else line(text)


def picture(text: str, url: str) -> str:
    """A picture at one of our own addresses; nothing without one."""
    return f"![{line(text)}](<{found}>)" if (found := address(url)) else ""
