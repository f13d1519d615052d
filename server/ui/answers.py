"""What a person does with an answer: rate it, and take it away as Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from backtrail.cli.show.conversation import earlier_turns
from backtrail.cli.show.feedback_questions import feedback_questions
from backtrail.cli.show.trace_record import Trace
from backtrail.server.ui.answer_export import answer_json, answer_markdown
from backtrail.server.ui.forms import form_of, text
from backtrail.server.ui.load_run import run_on
from backtrail.server.ui.pages import Handler, NoSuchPage, visitor_of
from backtrail.tools.access.records.feedback import Verdict, all_feedback, note_feedback

_VERDICTS: Mapping[str, Verdict] = {"up": "up", "down": "down"}
NO_ANSWER = "This question has no answer yet."


async def _answered(request: Request, wanted: str) -> tuple[Trace, int, bool]:
    """Return the run of an answered question with its number from 1, and whether it is the latest of its thread.

    Raises:
        NoSuchPage: the run is not the visitor's, or there is no such question or no answer to it.
    """
    latest, _ = await run_on(request, request.path_params["thread"])
    turns = [*await earlier_turns(latest), latest]
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 6 else len(turns) * (not wanted)
    if not 1 <= number <= len(turns):
        raise NoSuchPage("This conversation has no such question.")
    trace = turns[number - 1]
    if not isinstance(trace.values.get("answer"), Mapping):
        raise NoSuchPage(NO_ANSWER)
    return trace, number, number == len(turns)


async def rate(request: Request) -> Response:
    """Store a verdict on an answer, with a comment and the right answer."""
    async with form_of(request) as form:
        verdict, turn = _VERDICTS.get(text(form, "verdict")), text(form, "turn")
        said = {name: text(form, name) for name in ("comment", "expected")}
    if verdict is None:
        raise NoSuchPage("Choose whether the answer is right.")
    trace, number, latest = await _answered(request, turn)
    owner = visitor_of(request)
    await run_in_threadpool(lambda: note_feedback(trace.thread, number, verdict, owner=owner, **said))
    return RedirectResponse(f"/ui/runs/{trace.thread}{'' if latest else f'?turn={number}'}", 303)


async def markdown(request: Request) -> Response:
    """Return an answer with its citations as Markdown."""
    trace, _, _ = await _answered(request, request.query_params.get("turn", ""))
    return _file(answer_markdown(trace), "text/markdown", "answer.md")


async def as_json(request: Request) -> Response:
    """Return an answer with its citations as JSON."""
    trace, _, _ = await _answered(request, request.query_params.get("turn", ""))
    content = json.dumps(answer_json(trace), ensure_ascii=False, indent=2, default=str)
    return _file(content, "application/json", "answer.json")


async def rated(request: Request) -> Response:
    """Return the visitor's rated answers as questions of an evaluation, one a line."""
    given = await run_in_threadpool(all_feedback, visitor_of(request))

    async def lines() -> AsyncIterator[str]:
        async for question in feedback_questions(given):
            yield json.dumps(question, ensure_ascii=False) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=_named("questions.jsonl"))


def _file(content: str, kind: str, name: str) -> Response:
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=_named(name))


def _named(name: str) -> dict[str, Any]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("POST", "/ui/runs/{thread}/feedback"): rate,
    ("GET", "/ui/runs/{thread}/answer.md"): markdown,
    ("GET", "/ui/runs/{thread}/answer.json"): as_json,
    ("GET", "/ui/feedback.jsonl"): rated,
}
