"""Upload of files to a corpus, and the progress of its ingest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.cli.show.ingest_progress import STAGES
from backtrail.ingest.kinds import kind_of, why_not_read
from backtrail.server.ui.corpora import overview, readable
from backtrail.server.ui.forms import form_of, text, uploads
from backtrail.server.ui.pages import Handler, NoSuchPage, host_of, page, templates
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.ingests import last_ingest
from backtrail.tools.access.upload_room import reserve
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.uploads.files import safe_name, uploaded_files

LOOKS_EVERY = 0.4
"""Seconds between two updates of the progress (ours)."""

PIECE = 2**20

LEFT_OUT, MOST_TOLD = "left_out", 20
"""Query parameter with names of refused files, and their maximum number (ours)."""


@dataclass(frozen=True)
class Ingest:
    """Progress of a corpus's last ingest. ``share`` is the percentage of the stage, None if unknown."""

    working: bool
    stage: str = ""
    share: int | None = None
    error: str = ""
    report: Mapping[str, Any] = field(default_factory=dict)


async def bring(request: Request) -> Response:
    """Store uploaded files and start their ingest."""
    if not await host_of(request).may_ingest(request):
        raise NoSuchPage
    async with form_of(request) as form:
        name = text(form, "corpus")
        try:
            await host_of(request).claim(request, name)
            left_out = await _keep(request, form, name)
            await host_of(request).ingest(request, name)
        except BacktrailError as error:
            return await overview(request, str(error), name, 422)
    query = f"?{urlencode({LEFT_OUT: left_out[:MOST_TOLD]}, doseq=True)}" if left_out else ""
    return RedirectResponse(f"/ui/corpora/{name}/ingest{query}", 303)


async def _keep(request: Request, form: FormData, name: str) -> list[str]:
    """Store the readable files; return the names of the others.

    Raises:
        InputRefused: no file is readable, none was sent, or they exceed a limit; none is stored then.
    """
    chosen = uploads(form, "files")
    reasons = {str(one.filename): _why_left_out(str(one.filename)) for one in chosen}
    usable = [one for one in chosen if not reasons[str(one.filename)]]
    if not usable:
        raise InputRefused(" ".join(filter(None, reasons.values())) or "Choose at least one file.")
    await run_in_threadpool(_store, name, usable, await host_of(request).most(request))
    return [file for file, reason in reasons.items() if reason]


def _why_left_out(name: str) -> str:
    """Return why a file of that name is refused; empty if it is accepted."""
    try:
        file = Path(safe_name(name))
    except InputRefused as refused:
        return str(refused)
    return "" if kind_of(file) else f"{file}: {why_not_read(file)}."


def _store(corpus: str, uploads: Sequence[UploadFile], most: Most) -> None:
    """Store all files or none."""
    by_name = {safe_name(str(upload.filename)): upload for upload in uploads}
    files = reserve(corpus, {name: upload.size or 0 for name, upload in by_name.items()}, most)
    try:
        for one in files:
            while piece := by_name[one.name].file.read(PIECE):
                one.written.write(piece)
        for one in files:
            one.commit()
    finally:
        for one in files:
            one.drop()


def state_of(name: str) -> Ingest | None:
    """Return the progress of a corpus's ingest; None if there was none. Blocking."""
    record = last_ingest(name)
    if record is None:
        return None
    if record["state"] == "running":
        total = record["total"]
        share = round(100 * min(record["done"] / total, 1.0)) if total else None
        return Ingest(True, STAGES.get(record["stage"], str(record["stage"]).capitalize()), share)
    if record["state"] == "failed":
        return Ingest(False, error=str(record["result"]))
    try:
        report = json.loads(record["result"])
    except json.JSONDecodeError:
        report = {}
    return Ingest(False, report=report if isinstance(report, dict) else {})


async def shown(request: Request) -> Response:
    """Show the progress or the report of a corpus's ingest."""
    name = await readable(request)
    state = await run_in_threadpool(state_of, name)
    if state is None:
        return RedirectResponse(f"/ui/corpora/{name}", 303)
    files = await run_in_threadpool(uploaded_files, name)
    refused = request.query_params.getlist(LEFT_OUT)[:MOST_TOLD]
    left_out = [reason for file in refused if (reason := _why_left_out(file))]
    there = name in await run_in_threadpool(list_corpora)
    return await page(request, "ingest.html", corpus=name, state=state, files=files, left_out=left_out, there=there)


async def watched(request: Request) -> Response:
    """Stream the progress as server-sent events."""
    name = await readable(request)
    return EventSourceResponse(_events(name), ping=15, headers={"Cache-Control": "no-store"})


async def _events(name: str) -> AsyncIterator[ServerSentEvent]:
    sent = ""
    while (state := await run_in_threadpool(state_of, name)) is not None and state.working:
        html = templates().get_template("_ingest.html").render(state=state)
        if html != sent:
            sent = html
            yield ServerSentEvent(json.dumps({"status": html}), event="moment")
        await asyncio.sleep(LOOKS_EVERY)
    yield ServerSentEvent("", event="end")


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("POST", "/ui/corpora"): bring,
    ("GET", "/ui/corpora/{corpus}/ingest"): shown,
    ("GET", "/ui/corpora/{corpus}/ingest/live"): watched,
}
