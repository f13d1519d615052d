"""Ingest of a corpus's uploads in a separate process, with progress events."""

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
    """The uploads of a corpus could not be ingested; the corpus is unchanged."""


class Uploads(TypedDict):
    """Input: the corpus whose uploads to ingest."""

    corpus: str


class UploadsIngested(Uploads, total=False):
    """Output: counts of documents, and unreadable files with the reason."""

    report: dict[str, Any]


async def ingest_uploads(state: Uploads, config: RunnableConfig, writer: StreamWriter) -> dict[str, Any]:
    """Ingest the folder of uploads. Repeated after a crash, it continues with what is not embedded yet.

    Raises:
        PolicyRefused: the owner may not write this corpus.
        IngestFailed: states the reason.
    """
    corpus = str(state["corpus"])
    most = await asyncio.to_thread(retries_outages(_checked), corpus, run_owner(config))
    process = await asyncio.to_thread(_start, corpus, most)
    try:
        result = await asyncio.to_thread(_follow, corpus, process, writer)
    finally:
        if process.poll() is None:  # the run was cancelled
            process.kill()
        if process.stdout is not None:
            process.stdout.close()
    if report := result.get("report"):
        return {"report": report}
    raise IngestFailed(f"The uploads of {corpus!r} were not ingested: {result['error']}")


def _checked(corpus: str, owner: str) -> int | None:
    """Check that the corpus may be written; return how many documents it may have."""
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


def _follow(corpus: str, process: subprocess.Popen[str], send: Callable[[Any], None]) -> dict[str, Any]:
    """Forward the process's progress to the stream and the records; return its last message."""
    message: dict[str, Any] = {}
    note_ingest(corpus, "running")
    for line in process.stdout or ():
        message = json.loads(line)
        if "stage" in message:
            note_ingest(corpus, "running", stage=message["stage"], done=message["done"], total=message["total"])
            send({"type": PROGRESS, "corpus": corpus, **message})
    status = process.wait()
    if "report" in message:
        note_ingest(corpus, "done", result=json.dumps(message["report"]))
    else:
        message = {"error": message.get("error") or f"its process ended with status {status}."}
        note_ingest(corpus, "failed", result=message["error"])
    return message
