"""Capabilities of a model and its server: declared ones, and those learnt from the server's errors.

Runs send no probing requests: the first request uses the strictest form, and after a 400 about it the process uses
another one from then on. ``backtrail doctor --probe`` does probe (see ``probe_capabilities``).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Effort = Literal["minimal", "low", "medium", "high"]
ReplyFormat = Literal["schema", "tool", "json", "text"]
REPLY_FORMATS: tuple[ReplyFormat, ...] = ("schema", "tool", "json", "text")

_FORMAT_WORDS = (
    "response_format",
    "response format",
    "json_schema",
    "json schema",
    "json_object",
    "json mode",
    "structured output",
    "schema",
    "grammar",
    "guided",
    "tool",
    "function",
)
_PICTURE_WORDS = ("image", "vision", "picture", "multimodal", "multi-modal", "content must be a string", "valid string")
_LENGTH_WORDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens", "num_predict")
_EFFORT_WORDS = ("effort", "thinking", "reasoning", "does not support think")


@dataclass(frozen=True)
class Capabilities:
    """Declared capabilities of a model.

    Args:
        reply_formats: ways to request JSON, the strictest first; "text" is always last.
        vision: whether the model accepts pictures.
        temperature: sampling temperature, or None for models that accept none.
        bounds: whether schemas may contain lengths, ranges and patterns, which strict servers reject.
        reasons: whether replies begin with a reasoning field, for models that do not reason by themselves.
        effort: whether the model accepts a reasoning effort.
        streams: whether the server can stream replies.
        logprobs: whether the server returns log probabilities of tokens.
        bare_letters: whether the model was trained to reply to one-letter decisions with the letter, not with JSON.
    """

    reply_formats: tuple[ReplyFormat, ...] = REPLY_FORMATS
    vision: bool = True
    temperature: float | None = None
    bounds: bool = False
    reasons: bool = True
    effort: bool = True
    streams: bool = True
    logprobs: bool = False
    bare_letters: bool = False

    def __post_init__(self) -> None:
        if not self.reply_formats or self.reply_formats[-1] != "text":
            raise ValueError(f"The last rung must be 'text', which every model supports; got {self.reply_formats}.")


@dataclass(frozen=True)
class RequestOptions:
    """The options of a request that an error may be about."""

    reply_format: ReplyFormat
    pictures: bool
    temperature: bool
    max_tokens: bool
    effort: bool = False
    seed: bool = False
    streamed: bool = False
    logprobs: bool = False
    bare: bool = False


@dataclass
class LearntCapabilities:
    """Capabilities of a server as far as known. Shared by all deciders of a model in this process."""

    capabilities: Capabilities
    reply_format: ReplyFormat = field(init=False)
    vision: bool = field(init=False)
    temperature: float | None = field(init=False)
    max_tokens: bool = field(default=True, init=False)
    effort: bool = field(init=False)
    seed: bool = field(default=True, init=False)
    streams: bool = field(init=False)
    logprobs: bool = field(init=False)

    def __post_init__(self) -> None:
        self.reply_format = self.capabilities.reply_formats[0]
        self.vision = self.capabilities.vision
        self.temperature = self.capabilities.temperature
        self.effort = self.capabilities.effort
        self.streams = self.capabilities.streams
        self.logprobs = self.capabilities.logprobs

    def adapt(self, message: str, asked: RequestOptions) -> bool:
        """Learn from an error message. Return True if the next request will differ."""
        text = message.casefold()
        if asked.logprobs and ("logprob" in text or "log prob" in text):
            self.logprobs = False
        elif asked.streamed and "stream" in text:
            self.streams = False
        elif asked.temperature and "temperature" in text:
            self.temperature = None
        elif asked.effort and any(word in text for word in _EFFORT_WORDS):
            self.effort = False
        elif asked.seed and "seed" in text:
            self.seed = False
        elif asked.max_tokens and any(word in text for word in _LENGTH_WORDS):
            self.max_tokens = False
        elif asked.pictures and any(word in text for word in _PICTURE_WORDS):
            self.vision = False
        elif asked.reply_format != "text" and any(word in text for word in _FORMAT_WORDS):
            self._leave(asked.reply_format)
        else:
            return False
        return True

    def formatting_was_ignored(self, asked: RequestOptions) -> None:
        """Request JSON by the prompt alone from now on, as the server ignored the response format."""
        if asked.reply_format != "text":
            self.reply_format = "text"

    def _leave(self, rung: ReplyFormat) -> None:
        # A concurrent request may already have moved further down: never climb back up.
        rungs = self.capabilities.reply_formats
        self.reply_format = rungs[max(rungs.index(self.reply_format), rungs.index(rung) + 1)]


@dataclass(frozen=True)
class Abilities:
    """Abilities of a model as far as known.

    Args:
        form: how replies are constrained to their schema; "text" means by the prompt alone.
        can: whether requests include pictures, a temperature, an effort and a seed.
    """

    form: ReplyFormat
    can: Mapping[str, bool]


_learnt: dict[tuple[str, Capabilities], LearntCapabilities] = {}
_lock = threading.Lock()


def learnt_capabilities(model: str, capabilities: Capabilities) -> LearntCapabilities:
    """Return what this process has learnt about a model. The name must distinguish servers."""
    with _lock:
        return _learnt.setdefault((model, capabilities), LearntCapabilities(capabilities))


def reset_learnt_capabilities() -> None:
    """Reset to the declared capabilities (for tests, or after a server upgrade)."""
    with _lock:
        _learnt.clear()
