"""Send one request to a chat model: wait for a turn, try again while that can help, count everything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig

from backtrail.tools.deciders.call_meter import CallMeter
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.classify_error import RequestTrouble, request_trouble
from backtrail.tools.deciders.requests.rate_limit import RateLimiter
from backtrail.tools.deciders.requests.reply import (
    Reply,
    estimated_input,
    reply_from_completion,
    reply_from_message,
    written,
)
from backtrail.tools.deciders.requests.stream_replies import Hearer


@dataclass(frozen=True)
class Request:
    """Messages and call options, and the name under which traces show the call; ``hearer`` has the reply streamed."""

    messages: list[BaseMessage]
    options: dict[str, Any]
    name: str
    hearer: Hearer | None = None


@dataclass(frozen=True)
class Transport:
    """Sends requests of one model.

    Args:
        timeout: seconds one request may take from start to end.
        secrets: texts that must appear in no error message.
    """

    limiter: RateLimiter
    patience: Backoff
    timeout: float
    secrets: tuple[str, ...] = ()
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def __repr__(self) -> str:
        return f"Transport(timeout={self.timeout})"  # the generated one would print the secrets

    async def send(self, model: BaseChatModel, request: Request, meter: CallMeter) -> Reply | RequestTrouble:
        """A reply, or the trouble that no further try would mend.

        Raises:
            BudgetExhausted: the next try does not fit the decision's allowance.
        """
        failures = 0
        while True:
            outcome = await self._once(model, request, meter)
            if isinstance(outcome, Reply) or not outcome.transient:
                return outcome
            failures += 1
            if failures >= self.patience.tries:
                return outcome
            wait = self.patience.wait(failures, outcome.retry_after)
            if outcome.retry_after is not None:
                self.limiter.pause(wait)
            meter.admit(estimated_input(request.messages), wait)  # do not wait for a call that may not be made
            await self.sleep(wait)

    async def _once(self, model: BaseChatModel, request: Request, meter: CallMeter) -> Reply | RequestTrouble:
        expected = estimated_input(request.messages)
        meter.admit(expected)
        async with self.limiter.slot(expected) as slot:
            meter.sent()
            outcome = await self._call(model, request)
            if isinstance(outcome, Reply):
                slot.settle(meter.received(outcome, expected))
        return outcome

    async def _call(self, model: BaseChatModel, request: Request) -> Reply | RequestTrouble:
        # "nostream" keeps decisions out of the message stream that chat front ends show to the user.
        config: RunnableConfig = {"run_name": request.name, "tags": ["nostream", "decision"]}
        try:
            async with asyncio.timeout(self.timeout):
                if request.hearer is None:
                    message = await model.ainvoke(request.messages, config, **request.options)
                else:
                    message = await _heard(model, request, config, request.hearer)
        except Exception as error:  # each client library has its own; unknown ones are raised again
            completion = getattr(error, "completion", None)
            if completion is not None:  # the reply was cut off or filtered; it is inside the error
                return reply_from_completion(completion)
            trouble = request_trouble(error, self.secrets)
            if trouble is None:
                raise
            return trouble
        return reply_from_message(message)


async def _heard(model: BaseChatModel, request: Request, config: RunnableConfig, hearer: Hearer) -> BaseMessage:
    """The reply, told piece by piece; a model that cannot stream tells it whole.

    Raises:
        ValueError: what came was no stream.
    """
    whole: BaseMessage | None = None
    try:
        async for piece in streaming(model).astream(request.messages, config, **request.options):
            both = whole + piece if isinstance(whole, AIMessageChunk) else piece
            whole = both if isinstance(both, BaseMessage) else piece
            hearer(written(whole))
    except AssertionError as error:  # OpenAI's client, where a server sends the reply in one piece all the same
        raise ValueError("no stream came") from error
    if whole is None:
        raise ValueError("nothing was streamed")
    return whole


def streaming(model: BaseChatModel) -> BaseChatModel:
    """The same model over the same client, told that it may stream, and to say what a stream has cost."""
    told: dict[str, Any] = {"disable_streaming": False}
    if "stream_usage" in type(model).model_fields:
        told["stream_usage"] = True
    return model.model_copy(update=told)
