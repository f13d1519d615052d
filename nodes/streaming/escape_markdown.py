"""Escaping of text for Markdown: text of documents means nothing but itself, and no link, picture or HTML passes.

Text of models keeps emphasis, headings, lists, tables and code in a line.

CommonMark, GitHub's additions and the dollar signs of mathematics are escaped; what some clients turn into links
(addresses, mail) is broken by an invisible word joiner; characters that change the direction of reading are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

_ACTIVE = frozenset("\\`*_[]<>&~$|")
_AT_LINE_START = frozenset("#+-=")
_OF_MODELS = frozenset("*|#-")
_JOINER = "\u2060"
_ESCAPED = re.compile(r"\\(.)")
_UNSEEN = frozenset(("Cc", "Cs"))
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LOOKED_BACK = 32
_ADDRESS_CHARACTERS = 2_000
_KEPT_IN_ADDRESS = "/:?#@!$&'*+,;=%~-._"
_SCHEMES = ("http", "https")


class Escaper:
    """Incremental escaper: escaped pieces join to the escaped whole.

    White space is held back until something follows it, so that none is at the beginning, at the end, or before a line,
    where it has a meaning. With ``marks`` the Markdown of a model stays; code is held back until its second backtick.
    """

    def __init__(self, *, marks: bool = False) -> None:
        self._kept = _OF_MODELS if marks else frozenset[str]()
        self._marks = marks
        self._code: str | None = None  # what follows a backtick that is not closed yet
        self._line = ""  # the current line, unescaped
        self._ends = 0  # pending line ends
        self._space = False
        self._begun = False

    def feed(self, piece: str) -> str:
        """Escape a piece."""
        return "".join(map(self._fed, piece))

    def end(self) -> str:
        """Return what is held back, escaped: the text after a backtick that nothing closed."""
        held, self._code = self._code, None
        return "" if held is None else "".join(map(self._plain, f"`{held}"))

    def _fed(self, character: str) -> str:
        if self._code is None:
            self._code = "" if self._marks and character == "`" else None
            return "" if self._code is not None else self._plain(character)
        if character == "`" and self._code.strip():
            return self._span()
        if character in "`\n":  # no code in one line
            return self.end() + self._plain(character)
        self._code += character
        return ""

    def _span(self) -> str:
        """Return the code between two backticks as it is."""
        code, self._code = "".join(filter(_is_shown, self._code or "")), None
        apart = self._between() + (_JOINER if self._line.endswith("`") else "")
        self._line += "`"
        return f"{apart}`{code}`"

    def _plain(self, character: str) -> str:
        if character == "\n":
            self._ends, self._space = self._ends + 1, False
        elif character.isspace():
            self._space = True
        elif _is_shown(character):
            return self._between() + self._escaped(character)
        return ""

    def _between(self) -> str:
        """Return the white space before a character: a space, a hard line break, or an empty line."""
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
        if character in self._kept:
            return character
        if character in _ACTIVE or (not line and character in _AT_LINE_START):
            return f"\\{character}"
        if character in ".)" and line.isdecimal() and not self._marks:
            return f"\\{character}"
        if (character == "/" and line.endswith(":")) or (character == "." and line[-3:].lower() == "www"):
            return f"{_JOINER}{character}"
        return f"{_JOINER}@" if character == "@" else character


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _TURNING


def markdown(text: str) -> str:
    """Escape the Markdown of a model."""
    escaper = Escaper(marks=True)
    return escaper.feed(text.strip()) + escaper.end()


def inline(text: str) -> str:
    """Escape the Markdown of a model as one line."""
    return markdown(" ".join(text.split()))


def prose(text: str) -> str:
    """Escape a text of several lines, keeping its line ends."""
    return Escaper().feed(text.strip())


def unescaped(markdown: str) -> str:
    """Return the original of an escaped text, or of its beginning."""
    text = _ESCAPED.sub(r"\1", markdown.replace(_JOINER, ""))
    return text.replace("  \n", "\n")


def line(text: str) -> str:
    """Escape a text as one line."""
    return Escaper().feed(" ".join(text.split()))


def address(url: str) -> str:
    """Return a URL as a link target; empty unless it is a valid http or https URL."""
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
    """Return a link, or the text alone without a URL."""
    return f"[{line(text)}](<{found}>)" if (found := address(url)) else line(text)


def picture(text: str, url: str) -> str:
    """Return a picture at a URL of ours; empty without one."""
    return f"![{line(text)}](<{found}>)" if (found := address(url)) else ""
