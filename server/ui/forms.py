"""What a form sends, once it is known to come from the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from backtrail.server.ui.guards import FIELD, check_token

FILES, FIELDS = 200, 60
"""Most files and fields of one form (ours): a folder of files at once, and all settings that the page offers."""


@asynccontextmanager
async def form_of(request: Request) -> AsyncIterator[FormData]:
    """The fields and files of a form; files are gone afterwards.

    Raises:
        FormRefused: it was not sent from the page.
    """
    async with request.form(max_files=FILES, max_fields=FIELDS, max_part_size=2**20) as form:
        check_token(request, text(form, FIELD))
        yield form


def text(form: FormData, name: str) -> str:
    """A field, stripped; empty where there is none."""
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(form: FormData, name: str) -> list[str]:
    """All values of a field that is there several times."""
    return [value.strip() for value in form.getlist(name) if isinstance(value, str) and value.strip()]


def uploads(form: FormData, name: str) -> Sequence[UploadFile]:
    """Files of a field that were chosen."""
    return [value for value in form.getlist(name) if isinstance(value, UploadFile) and value.filename]
