"""Decider over a chat model of any provider with a LangChain package.

Slow to import (seconds) and to open: see lazy.py.
"""

from __future__ import annotations

import warnings
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from backtrail.tools.deciders.capabilities import Capabilities, ReplyFormat
from backtrail.tools.deciders.chat_model import ChatModelDecider
from backtrail.tools.deciders.errors import ProviderMissing
from backtrail.tools.deciders.named_chat import NamedChat
from backtrail.tools.deciders.prices import load_prices
from backtrail.tools.deciders.providers import PROVIDERS, Provider
from backtrail.tools.deciders.request_options import wire_of
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import limiter_for
from backtrail.tools.deciders.requests.transport import Transport
from backtrail.tools.home import home

_NO_KEY = "no-key-configured"  # clients require one, even for an address that needs none
# LangChain calls an error response's json() without awaiting it; with aiohttp that prints a warning.
warnings.filterwarnings("ignore", r"coroutine 'ClientResponse\.json' was never awaited", RuntimeWarning)


def open_hosted_chat(chat: NamedChat) -> ChatModelDecider:
    """Open a provider's client. Blocks: not for event loops.

    Raises:
        ProviderMissing: the provider's package is not installed.
        SettingsError: prices.toml cannot be read.
    """
    row = PROVIDERS[chat.provider]
    client = _client(chat, row)
    server = f"{chat.name} at {chat.base_url}" if chat.base_url else chat.name
    secrets = (chat.key,) if chat.key else ()
    return ChatModelDecider(
        client,
        chat.name,
        _capabilities(chat, row, client),
        transport=Transport(
            limiter_for(server, chat.limits), Backoff(max_attempts=chat.max_attempts), chat.timeout, secrets
        ),
        server=server,
        priced_as=chat.model,
        prices=load_prices(home() / "prices.toml"),
        wire=wire_of(chat.provider),
        effort=chat.effort,
        seed=chat.seed,
    )


def _client(chat: NamedChat, row: Provider) -> BaseChatModel:
    options: dict[str, Any] = {"disable_streaming": True, **row.opened_with}
    if row.once is not None:  # the transport owns retries, so that each is counted
        options["max_retries"] = row.once
    if row.key:
        options["api_key"] = chat.key or _NO_KEY
    if chat.base_url:
        options["base_url"] = chat.base_url
    try:
        return init_chat_model(chat.model, model_provider=row.opened_as, **options)
    except ImportError as error:
        raise ProviderMissing(chat.name, row.package) from error


def _capabilities(chat: NamedChat, row: Provider, client: BaseChatModel) -> Capabilities:
    """Capabilities from the package's profile of the model; others are assumed until the server refuses them."""
    profile: Any = client.profile or {}
    rungs: tuple[ReplyFormat, ...] = tuple(
        rung
        for rung in row.reply_formats
        if not (rung == "schema" and profile.get("structured_output") is False)
        and not (rung == "tool" and profile.get("tool_calling") is False)
    )
    return Capabilities(
        reply_formats=rungs,
        vision=profile.get("image_inputs") is not False,
        temperature=None if profile.get("temperature") is False else chat.temperature,
        bounds=row.bounds,
        reasons=chat.reasons,
        effort=bool(row.effort) and profile.get("reasoning_output") is not False,
    )
