"""What a model and its server can do: what is declared, and what was learnt from their errors.

No run probes with extra requests: the first request uses the best form, and a 400 that complains of it
teaches the process to ask differently from then on. ``backtrail doctor --probe`` does (see ``probing``).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Effort = Literal["minimal", "low", "medium", "high"]
Rung = Literal["schema", "tool", "json", "text"]
RUNGS: tuple[Rung, ...] = ("schema", "tool", "json", "text")

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
    """What is declared of a model.

    Args:
        rungs: ways of asking for JSON, the strictest first; "text" always comes last.
        vision: whether pictures may be sent at all.
        temperature: sampling temperature, or None for models that take none.
        bounds: whether schemas may hold lengths, ranges and patterns, which strict servers reject.
        reasons: whether a reply begins with a field to reason in, for want of reasoning before it.
        effort: whether it may be told how much to reason by itself.
        streams: whether replies may be asked for piece by piece, where somebody wants to hear them.
        logprobs: whether it may be asked how likely each of its tokens was.
        bare_letters: whether it was trained to reply to decisions of one letter with that letter, and not with JSON.
    """

    rungs: tuple[Rung, ...] = RUNGS
    vision: bool = True
    temperature: float | None = None
    bounds: bool = False
    reasons: bool = True
    effort: bool = True
    streams: bool = True
    logprobs: bool = False
    bare_letters: bool = False

    def __post_init__(self) -> None:
        if not self.rungs or self.rungs[-1] != "text":
            raise ValueError(f"The last rung must be 'text', which every model can do; got {self.rungs}.")


@dataclass(frozen=True)
class Asked:
    """How a request was put: what an error may have complained of."""

    rung: Rung
    pictures: bool
    temperature: bool
    max_tokens: bool
    effort: bool = False
    seed: bool = False
    streamed: bool = False
    logprobs: bool = False
    bare: bool = False


@dataclass
class Learnt:
    """What is known of a server by now. Shared by all deciders of a model in this process."""

    capabilities: Capabilities
    rung: Rung = field(init=False)
    vision: bool = field(init=False)
    temperature: float | None = field(init=False)
    max_tokens: bool = field(default=True, init=False)
    effort: bool = field(init=False)
    seed: bool = field(default=True, init=False)
    streams: bool = field(init=False)
    logprobs: bool = field(init=False)

    def __post_init__(self) -> None:
        self.rung = self.capabilities.rungs[0]
        self.vision = self.capabilities.vision
        self.temperature = self.capabilities.temperature
        self.effort = self.capabilities.effort
        self.streams = self.capabilities.streams
        self.logprobs = self.capabilities.logprobs

    def adapt(self, message: str, asked: Asked) -> bool:
        """Learn from an error message. True if the next request will be put differently."""
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
        elif asked.rung != "text" and any(word in text for word in _FORMAT_WORDS):
            self._leave(asked.rung)
        else:
            return False
        return True

    def formatting_was_ignored(self, asked: Asked) -> None:
        """The reply was no JSON although JSON was demanded: from now on the prompt alone has to ask for it."""
        if asked.rung != "text":
            self.rung = "text"

    def _leave(self, rung: Rung) -> None:
        # Another request may have learnt the same meanwhile: never climb back up.
        rungs = self.capabilities.rungs
        self.rung = rungs[max(rungs.index(self.rung), rungs.index(rung) + 1)]


@dataclass(frozen=True)
class Abilities:
    """What a model has been found to do by now.

    Args:
        form: how replies are held to their schema; "text" where the prompt alone asks for it.
        can: whether it is sent pictures, a temperature, an effort and a seed.
    """

    form: Rung
    can: Mapping[str, bool]


_learnt: dict[tuple[str, Capabilities], Learnt] = {}
_lock = threading.Lock()


def learnt_for(model: str, capabilities: Capabilities) -> Learnt:
    """What this process knows of a model. The name must tell servers apart."""
    with _lock:
        return _learnt.setdefault((model, capabilities), Learnt(capabilities))


def forget_learnt() -> None:
    """Start again from what is declared (tests; a server that was upgraded)."""
    with _lock:
        _learnt.clear()
