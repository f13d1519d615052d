"""Acceptance of a caller's question within the limits, with its pictures stored outside of the state."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from backtrail.state.question_input import check_input
from backtrail.tools.question_pictures.receive import has_new_pictures, with_stored_pictures


def accept(sent: Any) -> Any:
    """Check the input and replace pictures by references. Blocking.

    Raises:
        InputRefused: nothing was stored or computed.
    """
    check_input(sent)
    return with_stored_pictures(sent) if has_new_pictures(sent) else sent


async def accept_in_thread(sent: Any) -> Any:
    """Do the same in a thread, if there are pictures: eight large ones take half a minute."""
    if not isinstance(sent, Mapping) or not has_new_pictures(cast("Mapping[str, Any]", sent)):
        return cast("Any", sent)
    return await asyncio.to_thread(accept, cast("Any", sent))
