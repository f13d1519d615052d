"""Server that answers from its Chroma index during ingests, which may be killed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fixtures.langgraph_server import Server
from fixtures.tiny_corpora import write_bundle

pytestmark = [pytest.mark.server, pytest.mark.long]
SEAS = ("Baltic", "Aral", "Coral", "Tasman", "Bering", "Ross", "Kara", "Celtic")


def pages(folder: Path, marker: str) -> Path:
    """Write a bundle that differs completely from one with another marker."""
    return write_bundle(folder, {sea: [f"The {sea} sea was sounded by expedition {marker}."] for sea in SEAS})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "running").mkdir()
    running = Server(tmp_path / "home", tmp_path / "running", {"BACKTRAIL_VECTOR_STORE": "auto"})
    ingested(running, pages(tmp_path / "pages", "zero")).wait(600)
    running.start()
    yield running
    running.kill()
    assert "BlockingError" not in running.log()
    assert "its vector index failed" not in running.log()


def ingested(server: Server, folder: Path) -> subprocess.Popen[bytes]:
    """Start an ingest on the command line."""
    command = [sys.executable, "-m", "backtrail.cli.app", "ingest", str(folder), "--corpus", "seas", "--json"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "BACKTRAIL_HOME": str(server.home), "BACKTRAIL_VECTOR_STORE": "auto"}
    return subprocess.Popen(command, env=environment, **quiet)  # type: ignore[call-overload]


async def asked(client: httpx.AsyncClient, sea: str) -> str:
    """Return all quotes of a dense search."""
    run: dict[str, Any] = {
        "assistant_id": "dense",
        "input": {"question": f"Who sounded the {sea} sea?"},
        "context": {"corpus": "seas"},
    }
    reply = await client.post("/runs/wait", json=run)
    assert reply.status_code == 200, reply.text
    found = json.dumps(reply.json()["evidence"])
    assert f"The {sea} sea was sounded by expedition" in found
    return found


async def test_every_question_is_answered_from_a_whole_version(server: Server, tmp_path: Path) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        for number, marker in enumerate(("one", "two", "three")):
            running = ingested(server, pages(tmp_path / "pages", marker))
            while running.poll() is None:
                for sea in SEAS[:3]:
                    found = await asked(client, sea)
                    assert sum(f"expedition {said}." in found for said in ("zero", "one", "two", "three")) == 1
                if number == 1:  # killed at an arbitrary point
                    running.kill()
                    await asyncio.to_thread(running.wait, 60)
            if number != 1:
                assert running.returncode == 0
                assert f"expedition {marker}." in await asked(client, "Kara")
