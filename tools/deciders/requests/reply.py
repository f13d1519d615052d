"""Reply of a chat model, reduced to text, finish reason, refusal and token usage."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from backtrail.tools.deciders.requests.letter_scores import TokenAlternatives, parse_logprobs

_CHARACTERS_PER_TOKEN = 4
_TOKENS_PER_PICTURE = 800
# Finish reasons of providers: OpenAI, Ollama, Mistral; Anthropic, Bedrock; Gemini.
_AT_LENGTH = frozenset(("length", "model_length", "max_tokens", "model_context_window_exceeded"))
_DECLINED = frozenset(
    {
        "content_filter", "refusal", "guardrail_intervened", "content_filtered", "safety", "recitation", "blocklist",
        "prohibited_content", "spii", "image_safety",
    }
)  # fmt: skip
_FINISH = ("finish_reason", "stop_reason", "done_reason", "stopReason")


@dataclass(frozen=True)
class Reply:
    """One reply. Tokens are None if the server reported no usage; ``places`` need requested logprobs."""

    text: str
    finish: str = ""
    refusal: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int = 0
    written_tokens: int = 0
    reasoning_tokens: int = 0
    places: tuple[TokenAlternatives, ...] = ()

    @property
    def cut_off(self) -> bool:
        """Whether the reply ended at a length limit."""
        return self.finish.lower() in _AT_LENGTH

    @property
    def refused(self) -> bool:
        """Whether the model or a content filter declined."""
        return bool(self.refusal) or self.finish.lower() in _DECLINED


def reply_from_message(message: BaseMessage) -> Reply:
    """Read a LangChain message: arguments of a tool call if there is one, else the text."""
    usage: dict[str, Any] = {}
    calls: list[Any] = []
    if isinstance(message, AIMessage):
        usage = dict(message.usage_metadata or {})
        calls = [call["args"] for call in message.tool_calls]
        # Arguments that are not valid JSON can still be repaired.
        calls += [call["args"] for call in message.invalid_tool_calls if call["args"]]
    text, metadata = str(message.text), message.response_metadata
    if calls:
        text = calls[0] if isinstance(calls[0], str) else json.dumps(calls[0], ensure_ascii=False)
    read: dict[str, Any] = usage.get("input_token_details") or {}
    return Reply(
        text=text,
        finish=next((str(metadata[name]) for name in _FINISH if metadata.get(name)), ""),
        refusal=str(message.additional_kwargs.get("refusal") or ""),
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        cached_tokens=int(read.get("cache_read") or 0),
        written_tokens=_written(read),
        reasoning_tokens=int((usage.get("output_token_details") or {}).get("reasoning") or 0),
        places=parse_logprobs(metadata.get("logprobs")),
    )


def written(message: BaseMessage) -> str:
    """Return a streamed message's content so far: arguments of a tool call if there is one, else the text."""
    calls = message.tool_call_chunks if isinstance(message, AIMessageChunk) else []
    return str(calls[0].get("args") or "") if calls else str(message.text)


def _written(read: dict[str, Any]) -> int:
    """Return the input tokens written to a cache; some clients report them per lifetime instead of in one figure."""
    by_lifetime = sum(int(count or 0) for name, count in read.items() if name.startswith("ephemeral_"))
    return int(read.get("cache_creation") or 0) or by_lifetime


def reply_from_completion(completion: Any) -> Reply:
    """Read an OpenAI completion object, which their client raises inside an error if a reply was cut off."""
    choice = completion.choices[0]
    usage = completion.usage
    details = getattr(usage, "prompt_tokens_details", None)
    return Reply(
        text=choice.message.content or "",
        finish=choice.finish_reason or "",
        refusal=getattr(choice.message, "refusal", None) or "",
        input_tokens=usage.prompt_tokens if usage else None,
        output_tokens=usage.completion_tokens if usage else None,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
    )


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text by its length, within about 20 % for English."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def estimated_input(messages: list[BaseMessage]) -> int:
    """Estimate the tokens of messages by their length, with a flat figure per picture."""
    total = 0
    for message in messages:
        for part in message.content if isinstance(message.content, list) else [message.content]:
            if isinstance(part, str):
                total += estimated_tokens(part)
            elif part.get("type") == "text":
                total += estimated_tokens(str(part.get("text", "")))
            else:
                total += _TOKENS_PER_PICTURE
    return total
