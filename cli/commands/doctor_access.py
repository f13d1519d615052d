"""What ``backtrail doctor`` says of a server's openness: who may ask, what clients may name, where keys go."""

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
    """Who may ask a server of this home."""
    held = read_holders()
    if held is not None:
        admins = [name for name, holder in held.items() if holder.admin]
        of_these = f", of them administrators: {', '.join(admins)}" if admins else ""
        yield Finding("access", "ok", f"the server asks for a key; {len(held)} in {keys_file()}{of_these}")
    elif opened():
        yield Finding("access", "note", f"no keys and {OPEN}: the server is open to whoever reaches it. {_ADD}")
    else:
        yield Finding("access", "note", f"no keys: the server is open to this machine, and to no other. {_ADD}")


_ADD = "See: backtrail keys add"


def clients() -> Iterator[Finding]:
    """Which models and addresses clients of a server may name."""
    yield from _models()
    if hooks := listed(WEBHOOKS):
        yield Finding("clients", "ok", f"may have runs sent to {', '.join(hooks)} ({WEBHOOKS})")
    elif not for_others():
        yield Finding("clients", "note", f"may have runs sent to any address but this machine's ({WEBHOOKS})")


def _models() -> Iterator[Finding]:
    if allowed := patterns():
        yield Finding("clients", "ok", f"may name the models that {MODELS} allows: {', '.join(allowed)}")
        return
    own = ", ".join(["openai:…", *(f"openai-compatible:…@{url}" for url in key_urls())])
    if for_others():
        yield Finding("clients", "ok", f"may name {own}; no other address and no folder ({MODELS} is not set)")
    else:
        yield Finding(
            "clients", "note", f"may name models at any address, since there are no keys; no folder ({MODELS})"
        )


def addresses() -> Iterator[Finding]:
    """Where a server sends the keys that are set. A key itself is never shown."""
    if os.environ.get("OPENAI_API_KEY"):
        url = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com"
        yield Finding("key", "ok", f"OPENAI_API_KEY goes to {_place(url)}")
    if os.environ.get(KEY):
        if urls := key_urls():
            yield Finding("key", "ok", f"{KEY} goes to {', '.join(urls)}")
        else:
            yield Finding("key", "note", f"{KEY} goes nowhere on a server: {KEY_URLS} is not set")
    for service in get_args(Service):
        if os.environ.get(key_variable(service)):
            yield Finding("key", "ok", f"{key_variable(service)} goes to {_place(base_url(service))}")


def _place(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2] or url
