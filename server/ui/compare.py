"""Runs side by side: one question asked of several methods, or any existing runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.cli.commands.compare import TOP, overlap
from backtrail.cli.show.trace_record import Trace
from backtrail.graphs.methods import METHODS
from backtrail.server.ui.ask import FIELDS, SENT, askable, asked_in, chosen_corpus, form_values
from backtrail.server.ui.forms import form_of, texts
from backtrail.server.ui.load_run import run_on
from backtrail.server.ui.pages import Handler, host_of, page
from backtrail.server.ui.run_html import budget_lines, steps_of
from backtrail.server.ui.runs import shown_run
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.limits import limits
from backtrail.state.variant import label

MOST = 4
"""Maximum number of runs (ours: more do not fit beside each other)."""

CHOSEN = ("fif", "hybrid")
"""Methods selected by default (ours): one with traversal and one search."""


@dataclass(frozen=True)
class Side:
    """Run as shown on one side."""

    thread: str
    name: str
    question: str
    html: str
    working: bool
    spent: str
    ranking: tuple[str, ...]


async def compared(request: Request) -> Response:
    """Show the runs named in the address, or the form if there are none."""
    threads = list(dict.fromkeys(request.query_params.getlist("run")))[:MOST]
    if not threads:
        return await _form(request, {}, CHOSEN)
    sides = [await _side(request, thread) for thread in threads]
    overlaps = [[overlap(one.ranking, other.ranking) for other in sides] for one in sides]
    return await page(request, "compared.html", sides=sides, overlaps=overlaps, top=TOP)


async def _side(request: Request, thread: str) -> Side:
    trace, moment = await run_on(request, thread)
    working = moment is not None and moment.working
    return Side(
        trace.thread, label(trace.method, trace.settings.variant), str(trace.values.get("question", "")),
        await shown_run(request, trace, moment, beside=True), working,
        " · ".join(budget_lines(trace.values, trace.settings, steps_of(trace))), _ranking(trace),
    )  # fmt: skip


def _ranking(trace: Trace) -> tuple[str, ...]:
    return tuple(str(scored["id"]) for scored in trace.values.get("ranking", [])[:TOP])


async def compare(request: Request) -> Response:
    """Ask several methods the same question, each on its own thread, and redirect to the comparison."""
    async with form_of(request) as form:
        given, methods = form_values(form), list(dict.fromkeys(texts(form, "methods")))
        try:
            if not 2 <= len(methods) <= MOST:
                raise InputRefused(f"Choose two to {MOST} methods.")
            asked = [await asked_in(request, form, {**given, "method": method}) for method in methods]
            engine = await host_of(request).engine(request)
            threads = await asyncio.gather(*(engine.ask(one) for one in asked))
        except BacktrailError as error:
            return await _form(request, given, methods, str(error), 422)
    return RedirectResponse("/ui/compare?" + "&".join(f"run={thread}" for thread in threads), 303)


async def _form(
    request: Request, given: Mapping[str, str], chosen: Sequence[str], problem: str = "", status: int = 200
) -> Response:
    corpora = await askable(request)
    given = {**dict.fromkeys((*SENT, *FIELDS), ""), **given}
    return await page(
        request, "compare.html", status,
        given=given, problem=problem, chosen=chosen, methods=list(METHODS.values()), corpora=corpora,
        corpus=chosen_corpus(given, corpora), longest=limits().question,
    )  # fmt: skip


HANDLERS: Mapping[tuple[str, str], Handler] = {("GET", "/ui/compare"): compared, ("POST", "/ui/compare"): compare}
