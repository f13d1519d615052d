"""Remove script code that follows an unclosed ``script`` element."""

from __future__ import annotations

import re
from typing import Any

_CODE = re.compile(
    r"\s*(?:[!;(]{0,3}function\s*\w{0,40}\(|(?:var|let|const) \w{1,60}\s?=|window\.\w|document\.\w|\$\()"
)


def drop_unclosed_scripts(script: Any) -> None:
    """Remove the text after a script if it is code."""
    if script.tail and _CODE.match(script.tail):
        script.tail = None
