"""One request to a local model: its prompt, options and answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from backtrail.tools.local.prompt import Prompt

Finish = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True)
class ReplyOptions:
    """Options of a reply.

    Args:
        temperature: 0 always takes the most likely token.
        seed: makes sampling repeatable; None samples freely.
        max_tokens: length limit of the reply.
        stop: texts before which the reply ends.
        schema: JSON schema of the reply; an empty one allows any object; None means no constraint.
        choices: tokens whose probabilities as the next one are computed instead of a reply.
    """

    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int = 1024
    stop: Sequence[str] = ()
    schema: Mapping[str, Any] | None = None
    choices: Sequence[int] = ()


@dataclass(frozen=True)
class LocalReply:
    """A finished reply.

    Args:
        input_tokens: tokens of the prompt, those of pictures included.
        chosen: probability of each token of ``ReplyOptions.choices`` as the next one, among all tokens.
        cached_tokens: tokens of the prompt that were computed before, for another request.
    """

    text: str
    finish: Finish
    input_tokens: int
    output_tokens: int
    chosen: tuple[float, ...] = ()
    cached_tokens: int = 0


@dataclass(eq=False)
class Request:
    """A submitted request. ``on_text`` is called in the model's thread with each piece of the reply.

    ``started``: the reply has a token, so that the request cannot be repeated.
    """

    prompt: Prompt
    options: ReplyOptions
    on_text: Callable[[str], None] | None = None
    answer: Future[LocalReply] = field(default_factory=Future)
    cancelled: threading.Event = field(default_factory=threading.Event)
    started: bool = False

    def cancel(self) -> None:
        """Cancel: a waiting request is dropped, a running one ends before its next token."""
        self.cancelled.set()
        self.answer.cancel()
