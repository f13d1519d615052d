"""Webhooks: addresses that a client names, to which the server sends a run with its answer when it ends."""

from __future__ import annotations

from backtrail.tools.access.addresses import listed, within
from backtrail.tools.access.serving import for_others
from backtrail.tools.errors import SettingsError

WEBHOOKS = "BACKTRAIL_WEBHOOKS"


def check_webhook(url: str) -> None:
    """Refuse an address that the host has not listed. Without keys and for this machine alone, any is its user's.

    LangGraph's server has rules of its own besides: no loopback, no metadata service. May read a file.

    Raises:
        SettingsError: with the variable that would allow it.
    """
    allowed = listed(WEBHOOKS)
    if any(within(url, address) for address in allowed) or not (allowed or for_others()):
        return
    raise SettingsError(
        f"This server sends nothing to {url[:100]!r}, an address that a client named. Whoever hosts it can allow it: "
        f"{WEBHOOKS} lists the addresses that are allowed, for example https://hooks.example/backtrail"
    )
