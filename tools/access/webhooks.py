"""Webhooks: addresses of a client to which the server sends a run with its answer when it ends."""

from __future__ import annotations

from backtrail.tools.access.addresses import listed, within
from backtrail.tools.access.serving import for_others
from backtrail.tools.errors import SettingsError

WEBHOOKS = "BACKTRAIL_WEBHOOKS"


def check_webhook(url: str) -> None:
    """Refuse an address that the host has not listed. A server for its own machine alone allows any.

    LangGraph's server also refuses loopback and metadata services. May read a file.

    Raises:
        SettingsError: names the variable that would allow it.
    """
    allowed = listed(WEBHOOKS)
    if any(within(url, address) for address in allowed) or not (allowed or for_others()):
        return
    raise SettingsError(
        f"This server does not send to the client's address {url[:100]!r}. The host can allow it:  "
        f"{WEBHOOKS} lists the addresses that are allowed, for example https://hooks.example/backtrail"
    )
