"""Providers opened by LangChain's ``init_chat_model``: package, key, address and call options.

One row per provider, from its documentation and its LangChain package. The tests run the real clients of Anthropic,
Gemini and Ollama against servers on loopback; the other rows are untested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backtrail.tools.deciders.capabilities import REPLY_FORMATS, ReplyFormat


@dataclass(frozen=True)
class Provider:
    """Access to a provider and the call options of its API.

    Args:
        package: the distribution with its client.
        opened_as: LangChain's name of the provider.
        key: the variable of its key; empty if it needs none, or if its client finds credentials itself.
        url: the variable that overrides its address; empty if there is none.
        address: its default address.
        reply_formats: ways to request JSON that its API supports.
        room: the call option that bounds a reply's length; empty if there is none.
        seed: the call option that makes sampling repeatable; empty if there is none.
        effort: the call option of the reasoning effort; empty if there is none.
        bounds: whether its schemas may contain lengths and ranges.
        nested: the call option that contains temperature, room and seed; empty if they are options of their own.
        opened_with: options of its client. A kept-alive connection belongs to one event loop, but a client may be used
            from several, so connections are closed if the client supports it. Gemini's client (aiohttp) closes only
            those whose server repeats the header, as it should (RFC 9112, 9.6); otherwise a request may be lost and is
            sent and counted again.
        once: the value of ``max_retries`` that makes the client try once; None if it never retries.
    """

    package: str
    opened_as: str
    key: str
    url: str
    address: str
    reply_formats: tuple[ReplyFormat, ...] = REPLY_FORMATS
    room: str = "max_tokens"
    seed: str = ""
    effort: str = ""
    bounds: bool = False
    nested: str = ""
    opened_with: Mapping[str, Any] = field(default_factory=dict[str, Any])
    once: int | None = 0

    @property
    def local(self) -> bool:
        """Whether it runs at the user's own address, without a key."""
        return not self.key and self.address.startswith("http://")


_CLOSE = {"Connection": "close"}
_NO_JSON_MODE: tuple[ReplyFormat, ...] = ("schema", "tool", "text")
PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(
        "langchain-anthropic", "anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com",
        reply_formats=_NO_JSON_MODE, effort="reasoning_effort",
        opened_with={"default_headers": _CLOSE},
    ),
    "google_genai": Provider(
        "langchain-google-genai", "google_genai", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com", reply_formats=("schema", "tool", "json", "text"),
        room="max_output_tokens", seed="seed", effort="reasoning_effort",
        opened_with={"additional_headers": _CLOSE, "temperature": None}, once=1,
    ),
    "ollama": Provider(
        "langchain-ollama", "ollama", "", "OLLAMA_HOST", "http://127.0.0.1:11434",
        reply_formats=("schema", "json", "text"), room="num_predict", seed="seed", effort="reasoning", bounds=True,
        nested="options", opened_with={"client_kwargs": {"headers": _CLOSE}}, once=None,
    ),
    "mistralai": Provider(
        "langchain-mistralai", "mistralai", "MISTRAL_API_KEY", "MISTRAL_BASE_URL", "https://api.mistral.ai/v1",
        seed="random_seed",
    ),
    "groq": Provider(
        "langchain-groq", "groq", "GROQ_API_KEY", "GROQ_BASE_URL", "https://api.groq.com",
        seed="seed", effort="reasoning_effort",
    ),
    "deepseek": Provider(
        "langchain-deepseek", "deepseek", "DEEPSEEK_API_KEY", "DEEPSEEK_API_BASE", "https://api.deepseek.com/v1",
        reply_formats=("tool", "json", "text"),
    ),
    "xai": Provider(
        "langchain-xai", "xai", "XAI_API_KEY", "", "https://api.x.ai/v1", seed="seed", effort="reasoning_effort"
    ),
    "openrouter": Provider(
        "langchain-openrouter", "openrouter", "OPENROUTER_API_KEY", "", "https://openrouter.ai/api/v1", seed="seed"
    ),
    "together": Provider(
        "langchain-together", "together", "TOGETHER_API_KEY", "", "https://api.together.xyz/v1", seed="seed"
    ),
    "fireworks": Provider(
        "langchain-fireworks", "fireworks", "FIREWORKS_API_KEY", "", "https://api.fireworks.ai/inference/v1"
    ),
    "bedrock": Provider(
        "langchain-aws", "bedrock_converse", "", "", "https://bedrock-runtime.amazonaws.com",
        reply_formats=("tool", "text"), once=None,
    ),
}  # fmt: skip
"""By the first part of a model's name. The client of AWS finds credentials by itself."""
