"""Full disk of a server: writes fail with a sentence, reads continue, and all works with space again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures.closed_server import CONTEXT, QUESTION, Closed, made, tool
from fixtures.sent_pictures import encoded
from fixtures.small_disk import SmallDisk, small_disk

pytestmark = [pytest.mark.server, pytest.mark.long]
FREE_KILOBYTES = (0, 128)
FULL = "its disk is full"
POLICY = "[everyone]\ningest = true\nrate = { requests = 100000 }\n"
LARGE = b"# B\n\nWords.\n" + b"\n" * 300_000
RUN = {"assistant_id": "fif", "input": QUESTION, "context": CONTEXT}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", "256m") as mounted:
        yield mounted


@pytest.fixture
def server(disk: SmallDisk, tmp_path: Path) -> Iterator[Closed]:
    running = tmp_path / "run"
    running.mkdir()
    server = made(disk.folder, running, {})
    (disk.folder / "home" / "policy.toml").write_text(POLICY)
    server.start()
    yield server
    server.kill()


def sent(server: Closed, method: str, path: str, body: Any = None) -> tuple[int, str]:
    content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    kinds = {"Accept": "application/json, text/event-stream", **server.header("anna")}
    status, _, answer = server.ask(method, path, kinds, content)
    return status, answer.decode()


def test_requests_end_in_a_sentence_and_reads_go_on(server: Closed, disk: SmallDisk) -> None:
    thread = json.loads(sent(server, "POST", "/threads", {})[1])["thread_id"]
    asked = f"/threads/{thread}/runs/wait"
    assert "1977" in sent(server, "POST", asked, RUN)[1]
    assert sent(server, "PUT", "/corpora/notes/files/a.md", b"# A\n\nWords.")[0] == 201
    writes = [
        ("POST", asked, RUN),
        ("POST", "/runs/wait", RUN),
        ("POST", "/runs/stream", RUN),
        ("POST", f"/threads/{thread}/state", {"values": {"question": "Another?"}}),
        ("PUT", "/corpora/notes/files/b.md", LARGE),
        ("PUT", "/corpora/others/files/b.md", LARGE),
        ("POST", "/pictures", encoded()),
        ("POST", "/mcp", tool("bm25", corpus="tiny", **QUESTION)),
        ("POST", "/runs/wait", {"assistant_id": "ingest", "input": {"corpus": "notes"}}),
    ]
    reads = [
        ("GET", "/corpora", None),
        ("GET", "/corpora/tiny/documents", None),
        ("GET", f"/threads/{thread}/state", None),
        ("POST", f"/threads/{thread}/history", {"limit": 10}),
        ("GET", f"/trace/{thread}", None),
        ("GET", "/ui/corpora/tiny", None),
        ("POST", "/mcp", tool("search", corpus="tiny", query="Voyager")),
        ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    ]
    problems: list[str] = []
    for free in FREE_KILOBYTES:
        with disk.filled(free):
            answers = [(f"{free} {method} {path}", *sent(server, method, path, body)) for method, path, body in writes]
            problems += [str(one) for one in answers if not is_well_or_says_that_the_disk_is_full(*one[1:])]
            assert any(FULL in text for *_, text in answers), "else nothing was tried"
            answers = [(f"{free} {method} {path}", *sent(server, method, path, body)) for method, path, body in reads]
            problems += [str(one) for one in answers if not is_well(*one[1:])]
        for method, path, body in (*writes, *reads):
            answer = sent(server, method, path, body)
            if not is_well(*answer):
                problems.append(f"after {free} {method} {path}: {answer}")
    assert not problems, "\n".join(problem[:500] for problem in problems)


def is_well(status: int, text: str) -> bool:
    return status < 300 and not any(failed in text for failed in ("__error__", '"isError":true', "event: error"))


def is_well_or_says_that_the_disk_is_full(status: int, text: str) -> bool:
    return is_well(status, text) or (FULL in text and status in (200, 507))
