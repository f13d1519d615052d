"""Remove folders of the server from messages for clients."""

from __future__ import annotations

import logging
import re
from functools import lru_cache

from backtrail.tools.home import home

_LOG = logging.getLogger(__name__)

_PART = r"[^\s/\\'\"<>|:;,()\[\]{}]+"
_QUOTED = re.compile(r"(['\"])(?:/|[A-Za-z]:\\)(?:(?!\1).)+\1")
_BARE = re.compile(rf"(?<![\w:/.~$-])(?:/(?:{_PART}/)+{_PART}|[A-Za-z]:\\(?:{_PART}\\)*{_PART})")


@lru_cache(maxsize=256)
def without_paths(text: str) -> str:
    """Replace the home by ``$BACKTRAIL_HOME``, and other absolute paths by their last part.

    The full text is logged once.
    """
    named = text.replace(str(home()), "$BACKTRAIL_HOME")
    named = _QUOTED.sub(lambda found: f"{found[1]}{_last(found[0][1:-1])}{found[1]}", named)
    named = _BARE.sub(lambda found: _last(found[0]), named)
    if named != text:
        _LOG.warning("Sent to clients without paths: %s", text)
    return named


def _last(path: str) -> str:
    return "…/" + re.split(r"[/\\]", path.rstrip("/"))[-1]
