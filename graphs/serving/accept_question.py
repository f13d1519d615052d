"""Accept a caller's question within the limits, with its pictures stored outside of state."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from backtrail.state.question_input import check_asked
from backtrail.tools.question_pictures.receive import holds_pictures, with_kept_pictures


def taken(sent: Any) -> Any:
    """What may be asked, with references in place of pictures; what has them already stays as it is. Blocking.

    Raises:
        InputRefused: nothing has been stored or computed then.
    """
    check_asked(sent)
    return with_kept_pictures(sent) if holds_pictures(sent) else sent


async def taken_aside(sent: Any) -> Any:
    """The same without holding up others: eight large pictures take half a minute. What holds none is not looked at."""
    if not isinstance(sent, Mapping) or not holds_pictures(cast("Mapping[str, Any]", sent)):
        return cast("Any", sent)
    return await asyncio.to_thread(taken, cast("Any", sent))
