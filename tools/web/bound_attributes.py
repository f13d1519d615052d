"""Drop tags with too many attributes, which libxml2 compares quadratically."""

from __future__ import annotations

import re

MOST_ATTRIBUTES = 256
"""Maximum per tag (ours). 300,000 took two minutes, 256 take under a millisecond."""

_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+"""
# possessive quantifiers never backtrack: linear on any text
_TAG = re.compile(rf"<[A-Za-z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{MOST_ATTRIBUTES}}}+((?:{_ATTRIBUTE})*+)")
_SHORTEST = 2 * MOST_ATTRIBUTES


def bound_attributes(markup: str) -> tuple[str, int]:
    """Return the markup with at most 256 attributes per tag, and the number of tags that had more. Linear."""
    crowded = 0

    def cut(tag: re.Match[str]) -> str:
        nonlocal crowded
        if tag.start(1) == tag.end():
            return tag.group()
        crowded += 1
        return tag.group()[: tag.start(1) - tag.start()]

    return (_TAG.sub(cut, markup), crowded) if len(markup) > _SHORTEST else (markup, 0)


def is_crowded(markup: bytes) -> bool:
    """Whether some tag has more than 256 attributes, in any encoding that writes tags in ASCII or UTF-16."""
    return bound_attributes(markup.replace(b"\0", b"").decode("latin-1"))[1] > 0
