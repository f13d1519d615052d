"""Read forms that were sent from the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from backtrail.server.ui.guards import FIELD, check_token

FILES, FIELDS = 1_000, 60
"""Maximum number of files and fields per form (ours): a folder of files, and all settings of the page."""


@asynccontextmanager
async def form_of(request: Request) -> AsyncIterator[FormData]:
    """Open the fields and files of a form; files are deleted at the end of the block.

    Raises:
        FormRefused: the form was not sent from the page.
    """
    async with request.form(max_files=FILES, max_fields=FIELDS, max_part_size=2**20) as form:
        check_token(request, text(form, FIELD))
        yield form


def text(form: FormData, name: str) -> str:
    """Return a field, stripped; empty if missing."""
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(form: FormData, name: str) -> list[str]:
    """Return all values of a repeated field."""
    return [value.strip() for value in form.getlist(name) if isinstance(value, str) and value.strip()]


def uploads(form: FormData, name: str) -> Sequence[UploadFile]:
    """Return the chosen files of a field."""
    return [value for value in form.getlist(name) if isinstance(value, UploadFile) and value.filename]
