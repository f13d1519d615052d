"""Decider over a chat model of OpenAI's API or a compatible server.

Slow to import (seconds) and to open (certificates are read from the disk): see lazy.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from backtrail.tools.deciders.capabilities import Capabilities
from backtrail.tools.deciders.chat_model import ChatModelDecider
from backtrail.tools.deciders.named_chat import NamedChat
from backtrail.tools.deciders.prices import halved, load_prices
from backtrail.tools.deciders.request_options import OPENAI_WIRE
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import Limits, limiter_for
from backtrail.tools.deciders.requests.transport import Transport
from backtrail.tools.home import home

AT_ONCE = Limits(concurrency=50_000)
LONGEST = 26 * 3600.0
"""Seconds: a batch's day, plus time for gathering and polling."""
_NO_KEY = "no-key-configured"  # the client requires one, most servers do not


def open_openai_chat(chat: NamedChat) -> ChatModelDecider:
    """Open the client. Blocks: not for event loops."""
    # With OPENAI_BASE_URL the same name means another server, with other limits and capabilities.
    server = f"{chat.name} at {chat.base_url}" if chat.base_url else chat.name
    kind = _batched_kind(server) if chat.batched else ChatOpenAI
    client = kind(
        model=chat.model,
        api_key=SecretStr(chat.key or _NO_KEY),
        base_url=chat.base_url,
        timeout=chat.timeout,
        max_retries=0,  # the transport owns retries, so that each is counted
        disable_streaming=True,  # the transport streams if there is a listener
        use_responses_api=False,
        # A kept-alive connection belongs to one event loop; this client may be used from several.
        default_headers={"Connection": "close"},
    )
    secrets = (chat.key,) if chat.key else ()
    limits, timeout, prices = chat.limits, chat.timeout, load_prices(home() / "prices.toml")
    if chat.batched:
        # A batch has its own limits and takes a day; more concurrent callers make larger batches.
        server, limits, timeout, prices = f"batches of {server}", AT_ONCE, LONGEST, halved(prices)
    return ChatModelDecider(
        client,
        chat.name,
        Capabilities(
            temperature=chat.temperature,
            reasons=chat.reasons,
            streams=not chat.batched,
            logprobs=chat.reasons,  # reasoning models reject requests for them
            bare_letters=chat.bare_letters,
        ),
        transport=Transport(limiter_for(server, limits), Backoff(max_attempts=chat.max_attempts), timeout, secrets),
        server=server,
        priced_as=chat.model,
        prices=prices,
        wire=OPENAI_WIRE,
        effort=chat.effort,
        seed=chat.seed,
    )


def _batched_kind(server: str) -> Callable[..., ChatOpenAI]:
    from backtrail.tools.deciders.batch.chat import BatchedChat
    from backtrail.tools.deciders.batch.ledger import Ledger

    def open_batched(**options: Any) -> ChatOpenAI:
        return BatchedChat(**options).collecting(Ledger(home() / "batches", server))

    return open_batched
