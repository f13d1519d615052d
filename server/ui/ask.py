"""Form for a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.cli.commands.options import method_of
from backtrail.cli.commands.stored_run import stored_run
from backtrail.cli.show.trace_record import list_threads
from backtrail.graphs.methods import METHODS, find_method
from backtrail.ingest.images import MAX_BYTES
from backtrail.server.ui.engine.protocol import Asked
from backtrail.server.ui.forms import form_of, text, uploads
from backtrail.server.ui.load_run import check_may_read
from backtrail.server.ui.pages import Handler, host_of, page, visitor_of
from backtrail.state.document_predicates import read_predicate, split_entries
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.limits import limits
from backtrail.state.question_input import check_question
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.corpus.inventory import offered_documents
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.corpus.select_documents import SELECTION_ERRORS
from backtrail.tools.question_pictures.keep import store_checked_picture
from backtrail.tools.toolbox import Toolbox

METHOD = "fif"
LATEST = 6
"""Number of latest runs below the form (ours)."""
OFFERED = 200
"""Folders and documents that the form suggests (ours)."""

_TOOLBOX = Toolbox()

FIELDS: Mapping[str, str] = {
    "corpus": "corpus", "documents": "documents", "k": "k", "planner": "planner", "reader": "reader", "vlm": "vlm",
    "budget_steps": "budget.steps", "budget_usd": "budget.usd", "budget_calls": "budget.calls",
    "budget_seconds": "budget.seconds", "human_plan": "human.plan", "human_question": "human.question",
}  # fmt: skip
"""Form fields and their settings."""
SENT = ("question", "method", "thread", "assignments")
"""Other text fields."""


async def home(request: Request) -> Response:
    """Show the form and the latest runs."""
    return await _form(request, {"corpus": request.query_params.get("corpus", "")})


async def ask(request: Request) -> Response:
    """Start a run and redirect to it."""
    async with form_of(request) as form:
        given = form_values(form)
        try:
            thread = await (await host_of(request).engine(request)).ask(await asked_in(request, form, given))
        except BacktrailError as error:
            field = "documents" if isinstance(error, SELECTION_ERRORS) else ""
            return await _form(request, given, str(error), field, status=422)
    return RedirectResponse(f"/ui/runs/{thread}", 303)


def form_values(form: FormData) -> dict[str, str]:
    """Return the text fields of a question form."""
    return {name: text(form, name) for name in (*SENT, *FIELDS)}


async def asked_in(request: Request, form: FormData, given: Mapping[str, str]) -> Asked:
    """Convert a form to a question.

    Raises:
        BacktrailError: the question or a setting is invalid, or no document is selected.
    """
    check_question(given["question"])
    chosen = uploads(form, "image")
    image = await _stored(request, chosen[0]) if chosen else None
    if given["thread"]:  # a follow-up uses the method and settings of the previous question
        await check_may_read(request, given["thread"])
        async with open_checkpoints() as saver:
            before = await stored_run(saver, given["thread"], changed_settings(given))
        return Asked(given["question"], before.method, before.settings, image, before.thread)
    method, varied = method_of(given["method"] or METHOD)
    find_method(method)
    settings = await run_in_threadpool(_settings, request, given, varied)
    if settings.documents and settings.corpus in await askable(request):
        await run_in_threadpool(_TOOLBOX.corpus, settings)
    return Asked(given["question"], method, settings, image)


def _settings(request: Request, given: Mapping[str, str], varied: Mapping[str, Any]) -> Settings:
    for entry in split_entries(given["documents"]):
        read_predicate(entry)  # its own error, which is shown beside the field
    return host_of(request).settings(varied, changed_settings(given))


def changed_settings(given: Mapping[str, str]) -> list[str]:
    """Return a form's settings as ``key=value``; its fields override its lines."""
    lines = [line.strip() for line in given["assignments"].splitlines() if line.strip()]
    return lines + [f"{setting}={given[name]}" for name, setting in FIELDS.items() if given[name]]


async def _stored(request: Request, upload: UploadFile) -> str:
    """Check and store a picture for the visitor; return the sha256 that the run refers to."""
    content = await upload.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise InputRefused(f"The picture is larger than {MAX_BYTES // 2**20} MB. Scale it down.")
    most = (await host_of(request).most(request)).picture
    return (await run_in_threadpool(store_checked_picture, content, visitor_of(request) or None, most)).sha256


async def _form(
    request: Request, given: Mapping[str, str], problem: str = "", field: str = "", status: int = 200
) -> Response:
    given = {**dict.fromkeys((*SENT, *FIELDS), ""), **given}
    latest = await list_threads(LATEST, visitor_of(request))
    corpora = await askable(request)
    corpus = chosen_corpus(given, corpora)
    offered = await run_in_threadpool(_offered, corpus) if corpus in corpora else []
    return await page(
        request, "ask.html", status,
        given=given, problem=problem, field=field, latest=latest, corpora=corpora, corpus=corpus, offered=offered,
        methods=list(METHODS.values()), chosen=given["method"] or METHOD, longest=limits().question,
    )  # fmt: skip


def _offered(corpus: str) -> list[str]:
    """Return suggestions for the documents. A damaged corpus has none: asking it tells what is wrong."""
    try:
        return offered_documents(corpus, OFFERED)
    except BacktrailError:
        return []


async def askable(request: Request) -> list[str]:
    """Return the ingested corpora that the visitor may read."""
    readable = await host_of(request).corpora(request)
    ingested = set(await run_in_threadpool(list_corpora))
    return [name for name in readable if name in ingested]


def chosen_corpus(given: Mapping[str, str], corpora: list[str]) -> str:
    """Return the selected corpus: the sent one, else the default, else the first."""
    wanted = given["corpus"] or Settings().corpus
    return wanted if wanted in corpora or not corpora else corpora[0]


HANDLERS: Mapping[tuple[str, str], Handler] = {("GET", "/ui"): home, ("POST", "/ui/ask"): ask}
