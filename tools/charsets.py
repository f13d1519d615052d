"""Decode text with the charset that a header, page or mail declares."""

from __future__ import annotations

import codecs
from typing import Literal

_PYTHON_ONLY = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Codecs of text that Python's documentation calls specific to it: quadratic time, or escapes of lone surrogates."""


def decode_charset(content: bytes, charset: str, errors: Literal["strict", "replace"] = "strict") -> str | None:
    """Decode bytes with a declared charset; None where the charset is unknown or does not fit.

    Args:
        errors: "replace" puts the replacement character in place of bytes that cannot be decoded.
    """
    try:
        if codecs.lookup(charset).name in _PYTHON_ONLY:
            return None
        return content.decode(charset, errors).encode("utf-8", errors).decode()  # UTF-7 can hold lone surrogates
    except (LookupError, ValueError):  # a ValueError for NUL in the name
        return None
