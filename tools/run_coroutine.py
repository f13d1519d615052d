"""Run async code for callers that are not async."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from queue import Queue
from typing import Any, TypeVar

T = TypeVar("T")

_AHEAD = 64
"""Items that are buffered ahead of the consumer."""


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its result, in a new thread where an event loop runs, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="backtrail") as thread:
        return thread.submit(contextvars.copy_context().run, asyncio.run, coroutine).result()


def iterate(source: AsyncGenerator[T]) -> Iterator[T]:
    """Yield the items of an async generator, which runs in a thread. Stopping early closes it."""
    items: Queue[tuple[str, Any]] = Queue(_AHEAD)
    begun: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = Queue()

    async def pump() -> None:
        begun.put((asyncio.get_running_loop(), asyncio.current_task()))  # pyright: ignore[reportArgumentType]
        try:
            async with aclosing(source):
                async for item in source:
                    await asyncio.to_thread(items.put, ("item", item))
        except BaseException as error:  # noqa: BLE001 - raised again where the items are taken
            items.put(("error", error))
        else:
            items.put(("end", None))

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="backtrail") as thread:
        thread.submit(contextvars.copy_context().run, asyncio.run, pump())
        loop, task = begun.get()
        try:
            while True:
                kind, item = items.get()
                if kind == "error":
                    raise item
                if kind == "end":
                    return
                yield item
        finally:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(task.cancel)
            while not items.empty():
                items.get()
