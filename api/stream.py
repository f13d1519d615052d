"""Events of a run while it works."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from backtrail.api.answer import Answer, answer_of

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Run
    from backtrail.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Event:
    """One event of a run.

    Args:
        kind: "step": a node has finished; "text": a piece of the answer as it is written; "answer": the last event.
        text: what happened, in a line; the piece of text; or the text of the answer.
        progress: of a step, the values described in ``backtrail.state.chat.progress.Progress``.
        answer: of the last event, the answer.
    """

    kind: Literal["step", "text", "answer"]
    text: str
    progress: Mapping[str, Any] = field(default_factory=dict, repr=False)
    answer: Answer | None = field(default=None, repr=False)


async def events(run: Run, toolbox: Toolbox, given: dict[str, Any]) -> AsyncIterator[Event]:
    """The events of a run; its answer comes last.

    Raises:
        BacktrailError: corpus or models cannot be used. Finished steps are stored and can be resumed.
    """
    from langchain_core.messages import AIMessageChunk

    from backtrail.api.run import config_of, opened
    from backtrail.state.chat.progress import PROGRESS

    async with opened(run, toolbox) as graph:
        config, values = config_of(run), {}
        # "sync": a step is stored before the next begins, so that no finished call is made again
        stream: AsyncIterator[Any] = graph.astream(
            given, config, context=run.settings, stream_mode=["custom", "messages", "values"], durability="sync"
        )
        async for mode, chunk in stream:
            if mode == "values":
                values = chunk
            elif mode == "custom" and chunk.get("type") == PROGRESS:
                yield Event("step", _line(chunk), chunk)
            elif mode == "messages" and isinstance(chunk[0], AIMessageChunk) and chunk[0].text:
                yield Event("text", str(chunk[0].text))
        values = (await graph.aget_state(config)).values
    answer = answer_of(run.thread, run.method, values)
    yield Event("answer", answer.text, answer=answer)


def _line(progress: Mapping[str, Any]) -> str:
    titles = ", ".join(dict.fromkeys(piece["title"] for piece in progress["found"] if piece["title"]))
    parts = (progress["event"], progress["sought"], progress["where"], titles, progress["outcome"])
    return " · ".join(filter(None, parts))
