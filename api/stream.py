"""Events of a run in progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from backtrail.api.answer import Answer, answer_of
from backtrail.state.errors import BacktrailError

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Run
    from backtrail.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Event:
    """One event of a run.

    Args:
        kind: "step": a node has finished; "text": a piece of the answer; "answer": the last event.
        text: summary of the step, the piece of text, or the text of the answer.
        progress: of a step, the values described in ``backtrail.state.chat.progress.Progress``.
        answer: of the last event, the answer.
    """

    kind: Literal["step", "text", "answer"]
    text: str
    progress: Mapping[str, Any] = field(default_factory=dict, repr=False)
    answer: Answer | None = field(default=None, repr=False)


class HumanInputNeeded(BacktrailError):
    """The run waits for the reply of a person (settings under ``people``); see ``Corpus.resume``.

    Args:
        thread: id of the conversation.
        request: ``action_requests`` and ``review_configs``, as in LangChain's human-in-the-loop.
    """

    def __init__(self, thread: str, request: Mapping[str, Any]) -> None:
        self.thread, self.request = thread, request
        question = " ".join(one["description"] for one in request.get("action_requests", ()))
        super().__init__(f"The run waits for a reply: {question} Reply with corpus.resume({thread!r}, 'yes').")


async def events(run: Run, toolbox: Toolbox, given: Any) -> AsyncGenerator[Event]:
    """Yield the events of a run; its answer comes last.

    Args:
        given: the input, a ``Command`` that resumes the run, or None to continue from its last checkpoint.

    Raises:
        HumanInputNeeded: the run waits for the reply of a person.
        BacktrailError: corpus or models cannot be used. Finished steps are stored and can be resumed.
    """
    # The run is a separate task, so that it ends cleanly when it is cancelled because nobody reads the rest. Closing
    # this generator would otherwise close LangGraph's in the middle.
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.create_task(_drive(run, toolbox, given, queue))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while event := await queue.get():
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _drive(run: Run, toolbox: Toolbox, given: Any, queue: asyncio.Queue[Event | None]) -> None:
    """Execute a run and put its events into a queue."""
    from langchain_core.messages import AIMessageChunk

    from backtrail.api.run import config_of, opened
    from backtrail.state.chat.progress import PROGRESS

    async with opened(run, toolbox) as graph:
        config = config_of(run)
        # "sync": a step is stored before the next begins, so that no finished call is repeated
        stream: Any = graph.astream(
            given, config, context=run.settings, stream_mode=["custom", "messages"], durability="sync"
        )
        async for mode, chunk in stream:
            if mode == "custom" and chunk.get("type") == PROGRESS:
                queue.put_nowait(Event("step", _line(chunk), chunk))
            elif mode == "messages" and isinstance(chunk[0], AIMessageChunk) and chunk[0].text:
                queue.put_nowait(Event("text", str(chunk[0].text)))
        state = await graph.aget_state(config)
    if state.interrupts:
        raise HumanInputNeeded(run.thread, state.interrupts[0].value)
    answer = answer_of(run.thread, run.method, state.values)
    queue.put_nowait(Event("answer", answer.text, answer=answer))


def _line(progress: Mapping[str, Any]) -> str:
    titles = ", ".join(dict.fromkeys(piece["title"] for piece in progress["found"] if piece["title"]))
    parts = (progress["event"], progress["sought"], progress["where"], titles, progress["outcome"])
    return " · ".join(filter(None, parts))
