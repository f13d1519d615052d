"""LangChain chat model over a local checkpoint, with pictures."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, Field

from backtrail.tools.installation import install_command
from backtrail.tools.local.engine import LocalEngine, open_engine
from backtrail.tools.local.errors import RequestUnsuitable
from backtrail.tools.local.options import LocalOptions, local_options
from backtrail.tools.local.prompt import make_prompt, read_turns
from backtrail.tools.local.request import LocalReply, ReplyOptions, Request


class LocalChatModel(BaseChatModel):
    """Chat interface of Qwen-VL, LLaVA, BLIP-2 and text checkpoints.

    Pictures are ``image_url`` parts with data URLs, or any other LangChain form with the bytes; nothing is
    fetched. Call options besides ``stop``: ``temperature``, ``max_tokens``, ``seed``, and ``response_format``
    like OpenAI's (``json_schema``, ``json_object``).

    Args:
        engine: the loaded model.
        temperature: 0 always takes the most likely token.
        max_tokens: length limit of a reply; None means BACKTRAIL_LOCAL_TOKENS.
        seed: makes sampling repeatable; None samples freely.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    engine: LocalEngine = Field(exclude=True, repr=False)
    temperature: float = Field(default=0.0, ge=0.0)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None

    @property
    def _llm_type(self) -> str:
        return "backtrail-local"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {
            "model": str(self.engine.loaded.checkpoint.folder),
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }

    def request(self, messages: list[BaseMessage], stop: list[str] | None = None, **options: Any) -> Request:
        """Make a request from messages and call options. Decodes pictures: not for event loops.

        Raises:
            RequestUnsuitable: the model does not accept it.
        """
        loaded = self.engine.loaded
        turns, pictures = read_turns(messages, loaded)
        return Request(make_prompt(loaded, turns, pictures), self._asked(stop, options))

    def _asked(self, stop: list[str] | None, options: Mapping[str, Any]) -> ReplyOptions:
        if options.get("tools") or options.get("tool_choice"):
            raise RequestUnsuitable("A local model does not support tools; request JSON with response_format.")
        given = {name: value for name, value in options.items() if value is not None}
        return ReplyOptions(
            temperature=float(given.get("temperature", self.temperature)),
            seed=given.get("seed", self.seed),
            max_tokens=int(given.get("max_tokens", self.max_tokens or self.engine.options.tokens)),
            stop=tuple(stop or ()),
            schema=self._schema(options.get("response_format")),
        )

    def _schema(self, wanted: Any) -> Mapping[str, Any] | None:
        kind = wanted.get("type") if isinstance(wanted, dict) else None
        if wanted is None or kind == "text":
            return None
        if kind not in ("json_schema", "json_object"):
            raise RequestUnsuitable(f"The response_format {kind!r} is unknown; use json_schema or json_object.")
        if not self.engine.constrains:
            raise RequestUnsuitable(
                f"A response_format needs the package llguidance ({install_command('local')}) and a fast tokenizer."
            )
        return {} if kind == "json_object" else dict(wanted["json_schema"]["schema"])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = self.request(messages, stop, **kwargs)
        self.engine.submit(request)
        try:
            return _result(request.answer.result())
        finally:
            _leave(request)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        request = await asyncio.to_thread(self.request, messages, stop, **kwargs)
        return _result(await answer(self.engine, request))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        request = self.request(messages, stop, **kwargs)
        pieces: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        request.on_text = pieces.put
        request.answer.add_done_callback(lambda _: pieces.put(None))
        self.engine.submit(request)
        try:
            while (piece := pieces.get()) is not None:
                chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
                if run_manager is not None:
                    run_manager.on_llm_new_token(piece, chunk=chunk)
                yield chunk
            yield _last_chunk(request.answer)
        finally:
            _leave(request)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        request = await asyncio.to_thread(self.request, messages, stop, **kwargs)
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        request.on_text = lambda piece: _tell(loop, pieces, piece)
        request.answer.add_done_callback(lambda _: _tell(loop, pieces, None))
        self.engine.submit(request)
        try:
            while (piece := await pieces.get()) is not None:
                chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
                if run_manager is not None:
                    await run_manager.on_llm_new_token(piece, chunk=chunk)
                yield chunk
            yield _last_chunk(request.answer)
        finally:
            _leave(request)


def open_local_chat(folder: Path, *, temperature: float = 0.0, options: LocalOptions | None = None) -> LocalChatModel:
    """Open the chat model of a checkpoint folder. Loads it, unless this process has loaded it already.

    Raises:
        DependencyMissing, SettingsError, LocalModelError: it cannot be loaded.
    """
    return LocalChatModel(engine=open_engine(folder, options or local_options()), temperature=temperature)


async def answer(engine: LocalEngine, request: Request) -> LocalReply:
    """Submit a request and await its answer; cancelling the task ends the generation."""
    engine.submit(request)
    try:
        return await asyncio.wrap_future(request.answer)
    finally:
        _leave(request)


def _leave(request: Request) -> None:
    """Cancel an unanswered request, as nobody waits for it any more."""
    if not request.answer.done():
        request.cancel()


def _tell(loop: asyncio.AbstractEventLoop, pieces: asyncio.Queue[str | None], piece: str | None) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(pieces.put_nowait, piece)


def _result(answered: LocalReply) -> ChatResult:
    message = AIMessage(answered.text, usage_metadata=_usage(answered), response_metadata=_metadata(answered))
    return ChatResult(generations=[ChatGeneration(message=message)])


def _last_chunk(answer: Future[LocalReply]) -> ChatGenerationChunk:
    answered = answer.result()
    message = AIMessageChunk(
        content="", usage_metadata=_usage(answered), response_metadata=_metadata(answered), chunk_position="last"
    )
    return ChatGenerationChunk(message=message)


def _usage(answered: LocalReply) -> UsageMetadata:
    return UsageMetadata(
        input_tokens=answered.input_tokens,
        output_tokens=answered.output_tokens,
        total_tokens=answered.input_tokens + answered.output_tokens,
        input_token_details=InputTokenDetails(cache_read=answered.cached_tokens),
    )


def _metadata(answered: LocalReply) -> dict[str, Any]:
    return {"finish_reason": answered.finish, "model_provider": "backtrail-local"}
