"""Base class of chat models whose replies are computed by one method in the process.

For models behind ``ChatModelDecider`` without a server, such as a reader that is wrong on purpose.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class ReplyingChat(BaseChatModel):
    """Chat model that replies by ``replied``."""

    @abstractmethod
    async def replied(self, messages: list[BaseMessage]) -> AIMessage:
        """Return the reply to a conversation."""

    @property
    def _llm_type(self) -> str:
        return type(self).__name__

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return asyncio.run(self._agenerate(messages))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=await self.replied(messages))])
