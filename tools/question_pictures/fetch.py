"""Fetch a question's picture from a URL, if the host allows it.

Clients' URLs are untrusted: they are fetched with all guards of web pages (``tools/web/fetching``), and only with
``BACKTRAIL_PICTURE_URLS=yes``.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from backtrail.state.errors import InputRefused
from backtrail.state.web_settings import WebSettings
from backtrail.tools.settings.switches import switched_on
from backtrail.tools.web.environment import loopback_allowed
from backtrail.tools.web.errors import Unfetched
from backtrail.tools.web.fetching.fetch import Fetcher, Tally
from backtrail.tools.web.fetching.keep_pictures import PICTURE_KINDS

VARIABLE = "BACKTRAIL_PICTURE_URLS"


def fetch_picture(url: str) -> bytes:
    """Fetch the file at a URL. Blocks, whether or not an event loop runs in this thread.

    Raises:
        InputRefused: URLs are not allowed here, or this one gave no picture.
        SettingsError: the variable is neither yes nor no.
    """
    if not switched_on(VARIABLE):
        raise InputRefused(
            f"Pictures are not fetched from URLs here; send the picture itself, as base64. The host may set "
            f"{VARIABLE}=yes."
        )
    with ThreadPoolExecutor(1, thread_name_prefix="picture") as thread:
        return thread.submit(lambda: asyncio.run(_fetched(url))).result()


async def _fetched(url: str) -> bytes:
    limits = WebSettings()
    fetcher = Fetcher(loopback=loopback_allowed(), timeout=limits.fetch_timeout, tally=Tally())
    try:
        return (await fetcher.get(url, kinds=PICTURE_KINDS, most_bytes=limits.picture_bytes)).body
    except Unfetched as error:
        raise InputRefused(f"The picture cannot be fetched. {error}") from error
