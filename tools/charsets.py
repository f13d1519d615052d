"""Text in an encoding that others declare: a header, a page or a mail."""

from __future__ import annotations

import codecs
from typing import Literal

_PYTHON_ONLY = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Codecs of text that Python's documentation calls specific to it: quadratic time, or escapes of lone surrogates."""


def decode_charset(content: bytes, charset: str, errors: Literal["strict", "replace"] = "strict") -> str | None:
    """The text in a declared charset; None where it is not in that one, or the name is of none.

    Args:
        errors: "replace" has signs of replacement in place of bytes that are not in it.
    """
    try:
        if codecs.lookup(charset).name in _PYTHON_ONLY:
            return None
        return content.decode(charset, errors).encode("utf-8", errors).decode()  # UTF-7 can hold lone surrogates
    except (LookupError, ValueError):  # a ValueError for NUL in the name
        return None
