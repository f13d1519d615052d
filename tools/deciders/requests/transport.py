"""Send a request to a chat model: wait for the rate limit, retry transient failures, count every try."""

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
from backtrail.tools.deciders.requests.stream_replies import Listener


@dataclass(frozen=True)
class Request:
    """Messages, call options and the call's name in traces; with ``listener`` the reply is streamed."""

    messages: list[BaseMessage]
    options: dict[str, Any]
    name: str
    listener: Listener | None = None


@dataclass(frozen=True)
class Transport:
    """Sends requests of one model.

    Args:
        timeout: seconds that one request may take.
        secrets: texts to remove from error messages.
    """

    limiter: RateLimiter
    patience: Backoff
    timeout: float
    secrets: tuple[str, ...] = ()
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def __repr__(self) -> str:
        return f"Transport(timeout={self.timeout})"  # the generated one would print the secrets

    async def send(self, model: BaseChatModel, request: Request, meter: CallMeter) -> Reply | RequestTrouble:
        """Return a reply, or the trouble after the last useful try.

        Raises:
            BudgetExhausted: the next try does not fit the decision's allowance.
        """
        failures = 0
        while True:
            outcome = await self._once(model, request, meter)
            if isinstance(outcome, Reply) or not outcome.transient:
                return outcome
            failures += 1
            if failures >= self.patience.max_attempts:
                return outcome
            wait = self.patience.wait(failures, outcome.retry_after)
            if outcome.retry_after is not None:
                self.limiter.pause(wait)
            meter.admit(estimated_input(request.messages), wait)  # do not wait for a call that the budget forbids
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
                if request.listener is None:
                    message = await model.ainvoke(request.messages, config, **request.options)
                else:
                    message = await _heard(model, request, config, request.listener)
        except Exception as error:  # client libraries have their own errors; unknown ones are raised again
            completion = getattr(error, "completion", None)
            if completion is not None:  # the reply was cut off or filtered; it is inside the error
                return reply_from_completion(completion)
            trouble = request_trouble(error, self.secrets)
            if trouble is None:
                raise
            return trouble
        return reply_from_message(message)


async def _heard(model: BaseChatModel, request: Request, config: RunnableConfig, hearer: Listener) -> BaseMessage:
    """Stream the reply to the hearer; a model that cannot stream passes it whole.

    Raises:
        ValueError: the server sent no stream.
    """
    whole: BaseMessage | None = None
    try:
        async for piece in streaming(model).astream(request.messages, config, **request.options):
            both = whole + piece if isinstance(whole, AIMessageChunk) else piece
            whole = both if isinstance(both, BaseMessage) else piece
            hearer(written(whole))
    except AssertionError as error:  # raised by OpenAI's client if the server ignores "stream"
        raise ValueError("the server sent no stream") from error
    if whole is None:
        raise ValueError("the stream was empty")
    return whole


def streaming(model: BaseChatModel) -> BaseChatModel:
    """Return the model over the same client with streaming and, if supported, usage of streams enabled."""
    options: dict[str, Any] = {"disable_streaming": False}
    if "stream_usage" in type(model).model_fields:
        options["stream_usage"] = True
    return model.model_copy(update=options)
