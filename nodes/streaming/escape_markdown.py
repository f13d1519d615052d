"""Escaping of text for Markdown: text of documents means nothing but itself, and no link, picture or HTML passes.

Text of models keeps emphasis, headings, lists, tables and code in a line.

CommonMark, GitHub's additions and the dollar signs of mathematics are escaped. What clients turn into links (URLs,
e-mail addresses) becomes code: they link after they resolve escapes, but not in code, and a copy of it is intact.
Characters that change the direction of reading are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

_ACTIVE = frozenset("\\`*_[]<>&~$|")
_AT_LINE_START = frozenset("#+-=")
_OF_MODELS = frozenset("*|#-")
_AROUND_ADDRESSES = frozenset('<>()[]{}"`*|')
_AFTER_ADDRESSES = ".,;:!?'"
_AUTOLINK = re.compile(r"://|www\.|@", re.IGNORECASE)
_ESCAPED = re.compile(r"\\(.)|`([^`]*)`")
_UNSEEN = frozenset(("Cc", "Cs"))
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LOOKED_BACK = 32
_ADDRESS_CHARACTERS = 2_000
_KEPT_IN_ADDRESS = "/:?#@!$&'*+,;=%~-._"
_SCHEMES = ("http", "https")


class Escaper:
    """Incremental escaper: escaped pieces, with the end, join to the escaped whole.

    White space is held back until something follows it, so that none is at the beginning, at the end, or before a line,
    where it has a meaning. A word is held back until it ends, because it may be an address. With ``marks`` the Markdown
    of a model stays; code is held back until its second backtick.
    """

    def __init__(self, *, marks: bool = False) -> None:
        self._kept = _OF_MODELS if marks else frozenset[str]()
        self._marks = marks
        self._code: str | None = None  # what follows a backtick that is not closed yet
        self._word = ""  # characters that may be part of an address
        self._line = ""  # the current line, unescaped
        self._after_code = False
        self._ends = 0  # pending line ends
        self._space = False
        self._begun = False

    def feed(self, piece: str) -> str:
        """Escape a piece."""
        return "".join(map(self._fed, piece))

    def end(self) -> str:
        """Return what is held back, escaped: the last word, or the text after a backtick that nothing closed."""
        return self._open_code() + self._end_word()

    def _fed(self, character: str) -> str:
        if self._code is None:
            if not (self._marks and character == "`"):
                return self._text(character)
            self._code = ""
            return self._end_word()
        if character == "`" and self._code.strip():
            return self._span()
        if character in "`\n":  # no code in one line
            return self._open_code() + self._text(character)
        self._code += character
        return ""

    def _open_code(self) -> str:
        held, self._code = self._code, None
        return "" if held is None else "".join(map(self._text, f"`{held}"))

    def _span(self) -> str:
        """Return the code between two backticks as it is; next to other code, where it would join it, escaped."""
        code, self._code = "".join(filter(_is_shown, self._code or "")), None
        if self._after_code and not (self._space or self._ends):
            return "".join(map(self._text, f"`{code}`"))
        return self._as_code(code)

    def _text(self, character: str) -> str:
        """Return what ends with a character outside of code; part of a word is held back."""
        if not _is_shown(character) and character != "\n" and not character.isspace():
            return ""
        if "!" <= character <= "~" and character not in _AROUND_ADDRESSES:
            self._word += character
            return ""
        return self._end_word() + self._plain(character)

    def _end_word(self) -> str:
        word, self._word = self._word, ""
        if not _AUTOLINK.search(word) or (word == "@" and (self._space or not self._line)):
            return "".join(map(self._plain, word))
        address = word.rstrip(_AFTER_ADDRESSES)
        self._space |= self._after_code
        return self._as_code(address) + "".join(map(self._plain, word[len(address) :]))

    def _as_code(self, text: str) -> str:
        before = self._between()
        self._line, self._after_code = f"{self._line}`", True
        return f"{before}`{text}`"

    def _plain(self, character: str) -> str:
        if character == "\n":
            self._ends, self._space = self._ends + 1, False
        elif character.isspace():
            self._space = True
        else:
            return self._between() + self._escaped(character)
        return ""

    def _between(self) -> str:
        """Return the white space before a character: a space, a hard line break, or an empty line."""
        ends, space = self._ends if self._begun else 0, self._space and self._begun
        self._ends, self._space, self._begun, self._after_code = 0, False, True, False
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
        return f"\\{character}" if character in ".)" and line.isdecimal() and not self._marks else character


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _TURNING


def markdown(text: str) -> str:
    """Escape the Markdown of a model."""
    return _whole(Escaper(marks=True), text)


def inline(text: str) -> str:
    """Escape the Markdown of a model as one line."""
    return markdown(" ".join(text.split()))


def prose(text: str) -> str:
    """Escape a text of several lines, keeping its line ends."""
    return _whole(Escaper(), text)


def _whole(escaper: Escaper, text: str) -> str:
    return escaper.feed(text.strip()) + escaper.end()


def unescaped(markdown: str) -> str:
    """Return the original of an escaped text, or of its beginning."""
    return _ESCAPED.sub(_original, markdown).replace("  \n", "\n")


def _original(found: re.Match[str]) -> str:
    """Return an escaped character, an address without its backticks, or code of a model as it is."""
    return found[1] or (found[2] if _AUTOLINK.search(found[2]) else found[0])


def line(text: str) -> str:
    """Escape a text as one line."""
    return _whole(Escaper(), " ".join(text.split()))


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
