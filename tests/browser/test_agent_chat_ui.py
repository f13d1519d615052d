"""agent-chat-ui, built from its repository, shows an answer while a model writes it, and its sources at the end.

git clone https://github.com/langchain-ai/agent-chat-ui && cd agent-chat-ui && npm install && npx next build
AGENT_CHAT_UI=$PWD python -m pytest tests/browser/test_agent_chat_ui.py
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from fixtures.langgraph_server import Server
from fixtures.screenshots import keep
from loopback.openai_server import OpenAIServer, reply
from playwright.sync_api import Browser, expect

CLONE = os.environ.get("AGENT_CHAT_UI", "")
"""Read now: tests have no such variables of the shell."""
FIRST, LAST = "Rosetta was launched on 2 March 2004", "the rocket was an Ariane 5G+."
READING = {
    "short": "2 March 2004",
    "text": f"{FIRST}, a year later than planned, as another rocket of its kind had failed in December 2002. Its comet "
    f"had become another one by then, which it took ten years to reach, with help from Earth three times; {LAST}",
    "citations": [{"component": "rosetta.html#table-1"}], "grounds": "evidence", "supported": True, "confidence": 0.9,
}  # fmt: skip

pytestmark = pytest.mark.skipif(not CLONE, reason="AGENT_CHAT_UI names no built clone of agent-chat-ui")


@contextmanager
def chat() -> Iterator[str]:
    """The chat's own server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = ["npx", "next", "start", "-p", port]
    process = subprocess.Popen(command, cwd=CLONE, start_new_session=True, **quiet)
    deadline, url = time.monotonic() + 60, f"http://localhost:{port}"
    try:
        while True:
            try:
                httpx.get(url).raise_for_status()
                break
            except httpx.HTTPError:
                assert process.poll() is None, "it was not built"
                assert time.monotonic() < deadline
                time.sleep(0.5)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


def test_words_are_shown_as_they_are_written(browser: Browser, shared_home: Path, tmp_path: Path) -> None:
    with OpenAIServer([reply(READING)], forever=True, pause=0.1) as model, chat() as url:
        own = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": model.url, "BACKTRAIL_MODELS": "openai:scripted"}
        server = Server(shared_home, tmp_path, own)
        server.start()
        try:
            context = {"corpus": "examples", "reader": "openai:scripted"}
            body = json.dumps({"graph_id": "bm25", "name": "streamed", "context": context}).encode()
            _, _, made = server.ask("POST", "/assistants", {"Content-Type": "application/json"}, body)
            page = browser.new_page(viewport={"width": 1100, "height": 700})
            page.goto(f"{url}/?apiUrl={server.url}&assistantId={json.loads(made)['assistant_id']}")
            box = page.get_by_placeholder("Type your message...")
            box.fill("When was Rosetta launched?")
            box.press("Enter")
            expect(page.get_by_text(f"{FIRST}, a year later")).to_be_visible(timeout=60_000)
            assert LAST not in page.inner_text("body")
            keep(page, "chat-words-desktop")
            expect(page.get_by_text("Sources")).to_be_visible(timeout=60_000)
            assert LAST in page.inner_text("body")
            expect(page.get_by_role("link", name="How this was found")).to_be_visible()
        finally:
            server.kill()
