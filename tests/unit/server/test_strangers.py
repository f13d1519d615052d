"""Whom a server without keys answers, and where links in its messages lead."""

from typing import Any

import pytest

from backtrail.server.host_check import refusal
from backtrail.server.public_address import note_address, notice_address
from backtrail.tools.access.public_address import REQUEST_ADDRESS, VARIABLE, public_address
from backtrail.tools.errors import SettingsError


def asked(peer: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (peer, 50000), "headers": sent}


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost:8123", "127.0.0.1:8123", "[::1]:8123", "app.localhost", "LOCALHOST"])
def test_its_own_machine(peer: str, host: str) -> None:
    assert refusal(asked(peer, host=host)) == ""
    assert refusal({**asked(host=host), "client": None}) == ""  # a socket of the file system


@pytest.mark.parametrize("peer", ["10.0.0.7", "172.17.0.1", "2001:db8::1", "::ffff:10.0.0.7", "testclient", ""])
def test_other_machines_are_turned_away_with_what_to_do(peer: str) -> None:
    said = refusal(asked(peer, host="localhost:8123"))
    assert "backtrail keys add" in said
    assert "BACKTRAIL_OPEN=yes" in said


@pytest.mark.parametrize(
    "host", ["rebound.example", "localhost.example", "192.168.1.4:8123", "127.0.0.1.example", "[", "0.0.0.0:8123"]
)
def test_a_name_that_was_made_to_lead_here_is_not_its_own(host: str) -> None:
    assert "localhost" in refusal(asked(host=host))


@pytest.mark.parametrize(
    ("origin", "answered"),
    [
        ("http://localhost:3000", True),
        ("http://127.0.0.1:3000", True),
        ("https://smith.langchain.com", True),
        ("https://eu.smith.langchain.com", True),
        ("https://chat.example", True),
        ("http://smith.langchain.com", False),
        ("https://smith.langchain.com.example", False),
        ("https://evil.example", False),
        ("https://localhost.example", False),
        ("null", False),
    ],
)
def test_pages_of_elsewhere_are_turned_away(monkeypatch: pytest.MonkeyPatch, origin: str, answered: bool) -> None:
    monkeypatch.setenv("BACKTRAIL_ORIGINS", "https://other.example, https://chat.example/")
    assert (refusal(asked(host="localhost:8123", origin=origin)) == "") is answered


def test_the_host_may_open_it_to_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_OPEN", "yes")
    assert refusal(asked("10.0.0.7", host="public.example", origin="https://evil.example")) == ""


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
    run: dict[str, Any] = {"metadata": {REQUEST_ADDRESS: "https://evil.example", "owner": "anna"}}
    assert noted("", run=run) == {"owner": "anna"}
    assert public_address({REQUEST_ADDRESS: "javascript:alert(1)"}) == public_address({REQUEST_ADDRESS: 7}) == ""


def test_the_hosts_word_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "https://backtrail.example/")
    assert public_address(noted("localhost:8123")) == "https://backtrail.example"
    monkeypatch.setenv(VARIABLE, "backtrail.example")
    with pytest.raises(SettingsError, match=VARIABLE):
        public_address({})
