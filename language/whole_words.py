"""A phrase as a pattern of whole words."""

from __future__ import annotations

import re


def whole_words(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase as whole words, with any white space between them; edges may be marks ("C++")."""
    words = phrase.split()
    before = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    after = r"(?!\w)" if re.search(r"\w$", words[-1]) else ""
    return re.compile(before + r"\s+".join(map(re.escape, words)) + after, re.IGNORECASE)
