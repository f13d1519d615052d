"""One request to a local model: its prompt, how it is to be answered, and the answer as it grows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from backtrail.tools.local.prompt import Prompt

Finish = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True)
class Asked:
    """How a reply is to be made.

    Args:
        temperature: 0 takes the likeliest token each time.
        seed: repeats a sampled reply; None draws anew.
        most_tokens: length limit of the reply.
        stop: texts before which the reply ends.
        schema: a JSON schema it is held to; an empty one stands for any object; None leaves it free.
        choices: tokens whose probabilities as the next one are wanted instead of a reply.
    """

    temperature: float = 0.0
    seed: int | None = None
    most_tokens: int = 1024
    stop: Sequence[str] = ()
    schema: Mapping[str, Any] | None = None
    choices: Sequence[int] = ()


@dataclass(frozen=True)
class Answered:
    """A finished reply.

    Args:
        input_tokens: tokens of the prompt, those that stand for pictures included.
        chosen: probability of each token of ``Asked.choices`` as the next one, among all tokens.
        cached_tokens: those of the prompt that had been computed before, for another request.
    """

    text: str
    finish: Finish
    input_tokens: int
    output_tokens: int
    chosen: tuple[float, ...] = ()
    cached_tokens: int = 0


@dataclass(eq=False)
class Request:
    """A request on its way. ``on_text`` is called in the model's thread with each piece of the reply.

    ``began`` says whether a token of the reply exists: from then on it cannot be started again.
    """

    prompt: Prompt
    asked: Asked
    on_text: Callable[[str], None] | None = None
    answer: Future[Answered] = field(default_factory=Future)
    cancelled: threading.Event = field(default_factory=threading.Event)
    began: bool = False

    def cancel(self) -> None:
        """Give up: a waiting request is dropped, a running one ends before its next token."""
        self.cancelled.set()
        self.answer.cancel()
