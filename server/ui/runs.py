"""Page of a run with its conversation, and its actions: stop, resume, reply, fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.cli.commands.fork_points import ForkPoint
from backtrail.cli.show.conversation import earlier_turns
from backtrail.cli.show.live_progress import WORDS
from backtrail.cli.show.trace_record import Trace
from backtrail.server.ui.ask import FIELDS, changed_settings
from backtrail.server.ui.engine.protocol import Moment
from backtrail.server.ui.forms import form_of, text
from backtrail.server.ui.guards import token_of
from backtrail.server.ui.load_run import run_on
from backtrail.server.ui.pages import Handler, NoSuchPage, host_of, page
from backtrail.server.ui.run_events import live
from backtrail.server.ui.run_html import RunState, run_html
from backtrail.server.ui.sources import sources_of
from backtrail.state.errors import BacktrailError
from backtrail.state.limits import limits
from backtrail.tools.access.records.feedback import feedback_on
from backtrail.tools.settings.keys import flatten
from backtrail.tools.toolbox import Toolbox


async def run(request: Request) -> Response:
    """Show the run of a thread below its earlier questions, or the run of one of these."""
    latest, moment = await run_on(request, request.path_params["thread"])
    working = moment is not None and moment.working
    earlier = await earlier_turns(latest)
    chosen = _turn(request.query_params.get("turn", ""), earlier)
    shown = latest if chosen is None else earlier[chosen]
    turn = len(earlier) + 1 if chosen is None else chosen + 1
    html = await shown_run(request, shown, moment if chosen is None else None, earlier=chosen is not None, turn=turn)
    return await page(
        request, "run.html",
        run=html, trace=latest, working=working and chosen is None, earlier=earlier, chosen=chosen,
        question=shown.values.get("question"), longest=limits().question,
    )  # fmt: skip


def _turn(wanted: str, earlier: Sequence[Trace]) -> int | None:
    """Return the index of an earlier turn from its number, which counts from 1."""
    if not wanted:
        return None
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 6 and 1 <= int(wanted) <= len(earlier)):
        raise NoSuchPage("This conversation has no such question.")
    return int(wanted) - 1


async def shown_run(
    request: Request,
    trace: Trace,
    moment: Moment | None,
    *,
    earlier: bool = False,
    beside: bool = False,
    turn: int = 0,
) -> str:
    """Render a run with its sources; ``turn`` is the number of its question where it may be rated."""
    token, working = token_of(request), moment is not None and moment.working
    answered = trace.finished and not working and not (moment and moment.error)  # an error belongs to a later question

    def made() -> str:
        state = RunState(
            working=working,
            nodes=moment.nodes if moment else (),
            answer_text=moment.answer_text if moment else "",
            error=moment.error if moment else "",
            sources=sources_of(trace.values, trace.settings, Toolbox()) if answered else (),
            may_act=not earlier,
            side_by_side=beside,
            turn=turn,
            feedback=feedback_on(trace.thread).get(turn) if turn and answered else None,
        )
        return run_html(trace, state, token)

    return await run_in_threadpool(made)


async def stop(request: Request) -> Response:
    """Stop the run of a thread."""
    thread = request.path_params["thread"]
    async with form_of(request):
        await run_on(request, thread)  # for its checks
        await (await host_of(request).engine(request)).stop(thread)
    return RedirectResponse(f"/ui/runs/{thread}", 303)


async def resume(request: Request) -> Response:
    """Resume a stopped run."""
    thread = request.path_params["thread"]
    async with form_of(request):
        await run_on(request, thread)  # for its checks
        await (await host_of(request).engine(request)).resume(thread)
    return RedirectResponse(f"/ui/runs/{thread}", 303)


async def reply(request: Request) -> Response:
    """Reply to a run and resume it; after an invalid reply the run asks again."""
    thread = request.path_params["thread"]
    trace, moment = await run_on(request, thread)
    async with form_of(request) as form:
        decision, edited = text(form, "decision"), text(form, "edited").strip()
    if trace.approval_request is not None and not (moment is not None and moment.working):
        name, value = next(iter(trace.approval_request["action_requests"][0]["args"].items()), ("", ""))
        changed = decision == "edit" and edited.split() != str(value).split()
        kept = "approve" if decision == "edit" else decision
        given = {"type": "edit", "args": {name: edited}} if changed else {"type": kept}
        await (await host_of(request).engine(request)).resume(thread, given)
    return RedirectResponse(f"/ui/runs/{thread}", 303)


async def fork_page(request: Request) -> Response:
    """Show the form with fork points and settings."""
    trace, _ = await run_on(request, request.path_params["thread"])
    return await _fork_form(request, trace, {"at": request.query_params.get("at", "")})


async def fork(request: Request) -> Response:
    """Fork a run and redirect to the new one."""
    trace, _ = await run_on(request, request.path_params["thread"])
    async with form_of(request) as form:
        given = {name: text(form, name) for name in ("at", "assignments", *FIELDS)}
    try:
        engine = await host_of(request).engine(request)
        thread = await engine.fork(trace.thread, given["at"], changed_settings(given))
    except BacktrailError as error:
        return await _fork_form(request, trace, given, str(error), 422)
    return RedirectResponse(f"/ui/runs/{thread}", 303)


async def _fork_form(
    request: Request, trace: Trace, given: Mapping[str, str], problem: str = "", status: int = 200
) -> Response:
    points = trace.fork_points
    offered = [(points.name(point), _words(point, points.name(point))) for point in points.points]
    return await page(
        request, "fork.html", status,
        trace=trace, offered=list(dict(offered).items()), problem=problem,
        given={**dict.fromkeys(("at", "assignments", *FIELDS), ""), **given},
        held={key: value for key, value in flatten(trace.settings.model_dump()).items() if value is not None},
    )  # fmt: skip


def _words(point: ForkPoint, name: str) -> str:
    doing = " and ".join(WORDS.get(node, node.replace("_", " ")).lower() for node in point.nodes)
    if name.isdecimal():
        return f"step {name}: choose again"
    return f"before {doing}" + (f", within step {point.step}" if "@" in name else "")


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/ui/runs/{thread}"): run,
    ("GET", "/ui/runs/{thread}/live"): live,
    ("POST", "/ui/runs/{thread}/stop"): stop,
    ("POST", "/ui/runs/{thread}/resume"): resume,
    ("POST", "/ui/runs/{thread}/reply"): reply,
    ("GET", "/ui/runs/{thread}/fork"): fork_page,
    ("POST", "/ui/runs/{thread}/fork"): fork,
}
