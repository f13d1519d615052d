"""Ingest the uploads of a corpus in a separate process, and follow its progress."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StreamWriter
from typing_extensions import TypedDict

from backtrail.tools.access.corpora import check_ingested
from backtrail.tools.access.credentials import allowed_to, credentials
from backtrail.tools.access.records.ingests import note_ingest
from backtrail.tools.access.run_owner import run_owner
from backtrail.tools.checkpoints.retry_outages import retries_outages
from backtrail.tools.errors import BacktrailError

PROGRESS = "ingest_progress"
"""Type of the events on the stream "custom"."""


class IngestFailed(BacktrailError):
    """The uploads of a corpus could not be ingested; the corpus is as it was."""


class Uploads(TypedDict):
    """What is asked: the corpus whose uploads are to be brought in."""

    corpus: str


class UploadsIngested(Uploads, total=False):
    """And what came of it: counts of documents, and files that could not be read, each with why."""

    report: dict[str, Any]


async def ingest_uploads(state: Uploads, config: RunnableConfig, writer: StreamWriter) -> dict[str, Any]:
    """Ingest what the folder of uploads holds. Done again after a kill, it goes on with what is not embedded yet.

    Raises:
        PolicyRefused: whoever asks may not write this corpus.
        IngestFailed: with the reason.
    """
    corpus = str(state["corpus"])
    most = await asyncio.to_thread(retries_outages(_checked), corpus, run_owner(config))
    process = await asyncio.to_thread(_start, corpus, most)
    try:
        said = await asyncio.to_thread(_follow, corpus, process, writer)
    finally:
        if process.poll() is None:  # the run was cancelled
            process.kill()
        if process.stdout is not None:
            process.stdout.close()
    if report := said.get("report"):
        return {"report": report}
    raise IngestFailed(f"The uploads of {corpus!r} were not ingested: {said['error']}")


def _checked(corpus: str, owner: str) -> int | None:
    """How many documents the corpus may have, once it is sure that it may be written."""
    whom = allowed_to(owner)
    check_ingested(corpus, whom, closed=not credentials().is_open())
    return whom.most.documents


def _start(corpus: str, most: int | None) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "backtrail.ingest.ingest_uploads",
        corpus,
        *([str(most)] if most is not None else []),
    ]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def _follow(corpus: str, process: subprocess.Popen[str], tell: Callable[[Any], None]) -> dict[str, Any]:
    """Hand on what the process says, to the stream and to the records; its last word."""
    said: dict[str, Any] = {}
    note_ingest(corpus, "running")
    for line in process.stdout or ():
        said = json.loads(line)
        if "stage" in said:
            note_ingest(corpus, "running", stage=said["stage"], done=said["done"], total=said["total"])
            tell({"type": PROGRESS, "corpus": corpus, **said})
    status = process.wait()
    if "report" in said:
        note_ingest(corpus, "done", said=json.dumps(said["report"]))
    else:
        said = {"error": said.get("error") or f"its process ended with status {status}."}
        note_ingest(corpus, "failed", said=said["error"])
    return said
