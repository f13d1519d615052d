"""Decider over a local checkpoint: one-letter decisions by probabilities, others by captions or chat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.capabilities import Capabilities
from backtrail.tools.deciders.chat_model import ChatModelDecider
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.deciders.protocol import Decided, Decider, PictureAttachment
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.rate_limit import Limits, limiter_for
from backtrail.tools.deciders.requests.transport import Transport
from backtrail.tools.local.caption_decider import CaptionDecider
from backtrail.tools.local.chat import LocalChatModel, open_local_chat
from backtrail.tools.local.letter_decider import LetterDecider
from backtrail.tools.local.one_call import FREE
from backtrail.tools.local.options import LocalOptions

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


class LocalDecider:
    """Takes decisions with a local model: one-letter decisions by probabilities, the others in words."""

    def __init__(self, letters: LetterDecider, words: Decider) -> None:
        self.name = words.name
        self._letters = letters
        self._words = words

    def __repr__(self) -> str:
        return f"LocalDecider({self.name!r})"

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision. Raises what the decider in charge raises."""
        taker = self._letters if letter_field(decision.output) is not None else self._words
        return await taker.decide(decision, inputs, pictures, allowance=allowance)


def open_local_decider(
    name: str, folder: Path, *, temperature: float, options: LocalOptions, timeout: float, limits: Limits
) -> LocalDecider:
    """Open the decider of a checkpoint folder. Loads the checkpoint: not for event loops.

    Args:
        name: name in records and errors ("local:/models/qwen").
        timeout: seconds that one request may take, including its wait for others.

    Raises:
        DependencyMissing, SettingsError, LocalModelError: it cannot be loaded.
    """
    model = open_local_chat(folder, temperature=temperature, options=options)
    only_captions = model.engine.loaded.only_captions
    words = CaptionDecider(name, model, timeout) if only_captions else _chat(name, model, timeout, limits)
    return LocalDecider(LetterDecider(name, model, timeout), words)


def _chat(name: str, model: LocalChatModel, timeout: float, limits: Limits) -> ChatModelDecider:
    capabilities = Capabilities(
        reply_formats=("schema", "text") if model.engine.constrains else ("text",),
        vision=model.engine.loaded.sees,
        temperature=model.temperature,
        bounds=True,
        reasons=not parse_model_name(name).reasons_itself,
    )
    # Retries cannot help in the same process.
    transport = Transport(limiter_for(name, limits), Backoff(max_attempts=1), timeout)
    return ChatModelDecider(model, name, capabilities, transport=transport, priced_as=name, prices={name: FREE})
