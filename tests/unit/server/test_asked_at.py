"""Links in messages lead to where the client asked, or to what the host calls its address; nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.server.asked_at import note_address, notice_address
from backtrail.tools.access.public_address import ASKED_AT, VARIABLE, public_address
from backtrail.tools.errors import SettingsError


def noted(host: str, scheme: str = "http", run: dict[str, Any] | None = None) -> dict[str, Any]:
    notice_address({"type": "http", "scheme": scheme, "headers": [(b"host", host.encode("latin-1"))]})
    run = {} if run is None else run
    note_address(run)
    return run["metadata"]


@pytest.mark.parametrize("host", ["127.0.0.1:8123", "localhost", "chat.example:443", "[::1]:8123"])
@pytest.mark.parametrize(("scheme", "said"), [("http", "http"), ("https", "https"), ("ws", "http"), ("wss", "https")])
def test_a_run_remembers_where_it_was_asked(host: str, scheme: str, said: str) -> None:
    assert public_address(noted(host, scheme)) == f"{said}://{host}"


@pytest.mark.parametrize("host", ["", "evil.example/x?", "a b", "user@evil.example", "x" * 300, "h\xe9", "a.example:x"])
def test_what_is_no_name_of_a_server_is_not_taken(host: str) -> None:
    assert public_address(noted(host)) == ""


def test_what_a_client_wrote_does_not_count() -> None:
    run: dict[str, Any] = {"metadata": {ASKED_AT: "https://evil.example", "owner": "anna"}}
    assert noted("", run=run) == {"owner": "anna"}
    assert public_address({ASKED_AT: "javascript:alert(1)"}) == public_address({ASKED_AT: 7}) == ""


def test_the_hosts_word_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "https://backtrail.example/")
    assert public_address(noted("localhost:8123")) == "https://backtrail.example"
    monkeypatch.setenv(VARIABLE, "backtrail.example")
    with pytest.raises(SettingsError, match=VARIABLE):
        public_address({})
