"""Access checks of ``backtrail doctor``: users, models and addresses of clients, keys."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import get_args
from urllib.parse import urlsplit

from backtrail.cli.commands.check_result import Finding
from backtrail.tools.access.addresses import listed
from backtrail.tools.access.api_keys import keys_file, read_holders
from backtrail.tools.access.serving import OPEN, for_others, opened
from backtrail.tools.access.webhooks import WEBHOOKS
from backtrail.tools.deciders.allowed import KEY, KEY_URLS, MODELS, key_urls, patterns
from backtrail.tools.web.environment import Service, base_url, key_variable


def access() -> Iterator[Finding]:
    """Check who may use a server of this home."""
    holders = read_holders()
    if holders is not None:
        admins = [name for name, holder in holders.items() if holder.admin]
        of_these = f", of them administrators: {', '.join(admins)}" if admins else ""
        yield Finding("access", "ok", f"the server requires a key; {len(holders)} in {keys_file()}{of_these}")
    elif opened():
        yield Finding("access", "note", f"no keys and {OPEN}: the server is open to everybody who can reach it. {_ADD}")
    else:
        yield Finding("access", "note", f"no keys: the server is open to this machine only. {_ADD}")


_ADD = "See: backtrail keys add"


def clients() -> Iterator[Finding]:
    """Check which models and addresses clients of a server may name."""
    yield from _models()
    if hooks := listed(WEBHOOKS):
        yield Finding("clients", "ok", f"may have runs sent to {', '.join(hooks)} ({WEBHOOKS})")
    elif not for_others():
        yield Finding("clients", "note", f"may have runs sent to any address except this machine's ({WEBHOOKS})")


def _models() -> Iterator[Finding]:
    if allowed := patterns():
        yield Finding("clients", "ok", f"may name the models that {MODELS} allows: {', '.join(allowed)}")
        return
    own = ", ".join(["openai:…", *(f"openai-compatible:…@{url}" for url in key_urls())])
    if for_others():
        yield Finding("clients", "ok", f"may name {own}; no other address and no folder ({MODELS} is not set)")
    else:
        yield Finding(
            "clients", "note", f"may name models at any address, because there are no keys; no folder ({MODELS})"
        )


def addresses() -> Iterator[Finding]:
    """Check where a server sends the configured keys. Keys are never shown."""
    if os.environ.get("OPENAI_API_KEY"):
        url = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com"
        yield Finding("key", "ok", f"OPENAI_API_KEY goes to {_place(url)}")
    if os.environ.get(KEY):
        if urls := key_urls():
            yield Finding("key", "ok", f"{KEY} goes to {', '.join(urls)}")
        else:
            yield Finding("key", "note", f"{KEY} is not sent by a server: {KEY_URLS} is not set")
    for service in get_args(Service):
        if os.environ.get(key_variable(service)):
            yield Finding("key", "ok", f"{key_variable(service)} goes to {_place(base_url(service))}")


def _place(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2] or url
