"""Acceptance of a caller's question within the limits, with its pictures stored outside of the state."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from backtrail.state.question_input import check_asked
from backtrail.tools.question_pictures.receive import holds_pictures, with_kept_pictures


def taken(sent: Any) -> Any:
    """Check the input and replace pictures by references. Blocking.

    Raises:
        InputRefused: nothing was stored or computed.
    """
    check_asked(sent)
    return with_kept_pictures(sent) if holds_pictures(sent) else sent


async def taken_aside(sent: Any) -> Any:
    """Do the same in a thread, if there are pictures: eight large ones take half a minute."""
    if not isinstance(sent, Mapping) or not holds_pictures(cast("Mapping[str, Any]", sent)):
        return cast("Any", sent)
    return await asyncio.to_thread(taken, cast("Any", sent))
