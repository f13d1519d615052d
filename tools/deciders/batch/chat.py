"""Chat model of the OpenAI API whose requests are sent in batches."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr

from backtrail.tools.deciders.batch.collector import Collector
from backtrail.tools.deciders.batch.endpoint import BatchEndpoint
from backtrail.tools.deciders.batch.ledger import Ledger

_NOT_IN_BATCHES = ("stream", "stream_options", "timeout")


class BatchedChat(ChatOpenAI):
    """``ChatOpenAI`` over a batch endpoint; a reply may take a day."""

    _collector: Collector | None = PrivateAttr(default=None)

    def collecting(self, ledger: Ledger) -> BatchedChat:
        """Return this model with a collector over its client."""
        self._collector = Collector(BatchEndpoint(self.root_client), ledger)
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._create_chat_result(self._submit(messages, stop, kwargs).result())

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        body = await asyncio.wrap_future(await asyncio.to_thread(self._submit, messages, stop, kwargs))
        return self._create_chat_result(body)

    def _submit(self, messages: list[BaseMessage], stop: list[str] | None, options: dict[str, Any]) -> Any:
        if self._collector is None:
            raise RuntimeError("collecting() was not called")
        payload = self._get_request_payload(messages, stop=stop, **options)
        return self._collector.ask({key: value for key, value in payload.items() if key not in _NOT_IN_BATCHES})
