"""Keys to the server, and the webhooks of clients: what is kept of them, what is allowed, and what the commands say."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.cli.commands.check_result import Finding
from backtrail.cli.commands.doctor_access import access, addresses, clients
from backtrail.tools.access.api_keys import VARIABLE, KeyRing, add_key, keys_file, read_holders, revoke_key
from backtrail.tools.access.webhooks import WEBHOOKS, check_webhook
from backtrail.tools.errors import SettingsError


def keys(*arguments: str) -> str:
    ran = CliRunner().invoke(app, ["keys", *arguments])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def holder(ring: KeyRing, key: str) -> str | None:
    found = ring.holder(key)
    return found and found[0]


def test_a_key_is_shown_once_and_its_digest_kept() -> None:
    key = keys("add", "anna").strip()
    assert key not in keys_file().read_text()
    assert key not in keys("list")
    assert keys_file().stat().st_mode & 0o777 == 0o600
    ring = KeyRing()
    assert holder(ring, key) == "anna"
    assert holder(ring, key[:-1]) is None
    assert holder(ring, "") is None
    other = json.loads(keys("add", "bert", "--json"))
    assert other["name"] == "bert"
    assert (holder(ring, key), holder(ring, other["key"])) == ("anna", "bert")
    assert [entry["name"] for entry in json.loads(keys("list", "--json"))["keys"]] == ["anna", "bert"]


def test_a_revoked_key_opens_nothing_and_the_last_one_leaves_the_server_closed() -> None:
    ring = KeyRing()
    assert ring.is_open()
    assert json.loads(keys("list", "--json")) == {"open": True, "keys": []}
    key = add_key("anna")
    assert not ring.is_open()
    keys("revoke", "anna")
    assert ring.holder(key) is None
    assert not ring.is_open()
    assert not KeyRing().is_open()
    assert "nobody has access" in keys("list")
    assert add_key("anna") != key


def test_an_administrators_key_is_said_to_be_one_and_a_new_key_of_a_name_is_another() -> None:
    keys("add", "root", "--admin")
    keys("add", "anna")
    held = read_holders() or {}
    assert {name: one.admin for name, one in held.items()} == {"root": True, "anna": False}
    assert "administrator" in keys("list").splitlines()[1]
    shown = {entry["name"]: entry["admin"] for entry in json.loads(keys("list", "--json"))["keys"]}
    assert shown == {"root": True, "anna": False}
    revoke_key("anna")
    add_key("anna")
    after = read_holders() or {}
    assert after["root"] == held["root"]
    assert after["anna"].mark != held["anna"].mark


@pytest.mark.parametrize("name", ["", "a.b", "-a", "a b", "ä", "*", "a" * 64, "a\n"])
def test_names_that_cannot_be_used(name: str) -> None:
    with pytest.raises(SettingsError, match="cannot name the holder"):
        add_key(name)
    assert read_holders() is None


def test_a_name_has_one_key() -> None:
    add_key("anna")
    with pytest.raises(SettingsError, match="backtrail keys revoke anna"):
        add_key("anna")
    with pytest.raises(SettingsError, match="These have: anna"):
        revoke_key("bert")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("not = [toml", "cannot be read"),
        ("anna = 'plain'\n", r"\[anna\] has no sha256"),
        ("[anna]\nsha256 = 'short'\n", r"\[anna\] has no sha256"),
        ("[anna]\nkey = 'plain'\n", r"\[anna\] has no sha256"),
        (f"['a.b']\nsha256 = '{'0' * 64}'\n", "cannot name the holder"),
        (f"[anna]\nsha256 = '{'0' * 64}'\nroot = true\n", "has root; known are"),
        (f"[anna]\nsha256 = '{'0' * 64}'\nadmin = 'yes'\n", "has admin = 'yes'"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_broken_file_is_an_error_never_an_open_server(content: str, problem: str) -> None:
    keys_file().write_bytes(content.encode("latin-1"))
    for act in (KeyRing().is_open, lambda: KeyRing().holder("any"), lambda: add_key("carl")):
        with pytest.raises(SettingsError, match=problem):
            act()
    assert keys_file().read_bytes() == content.encode("latin-1")


def test_the_file_may_lie_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "secrets" / "keys.toml"))
    with pytest.raises(SettingsError, match="does not exist"):
        KeyRing().is_open()
    key = add_key("anna")
    assert keys_file() == tmp_path / "secrets" / "keys.toml"
    assert holder(KeyRing(), key) == "anna"


def said(check: Callable[[], Iterator[Finding]]) -> str:
    return " ".join(finding.detail for finding in check())


def test_the_doctor_says_whom_the_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> dict[str, str]:
        ran = CliRunner().invoke(app, ["doctor", "--json"])
        return next(check for check in json.loads(ran.stdout)["checks"] if check["name"] == "access")

    assert shown()["state"] == "note"
    assert "open to this machine" in said(access)
    monkeypatch.setenv("BACKTRAIL_OPEN", "yes")
    assert "open to everybody who can reach it" in said(access)
    add_key("anna")
    assert next(access()).state == "ok"
    add_key("root", admin=True)
    assert "administrators: root" in said(access)
    keys_file().write_text("broken")
    assert shown()["state"] == "broken"


def test_the_doctor_says_what_clients_may_name_and_where_keys_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "at any address" in said(clients)
    assert "sent to any address" in said(clients)
    assert said(addresses) == ""
    for name in ("OPENAI_API_KEY", "BACKTRAIL_API_KEY", "SERPER_API_KEY"):
        monkeypatch.setenv(name, "the-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:password@proxy.example/v1")
    assert "no other address and no folder" in said(clients)
    assert "is not sent by a server" in said(addresses)
    monkeypatch.setenv("BACKTRAIL_API_URL", "http://gpu.example:8000/v1")
    assert "openai-compatible:…@http://gpu.example:8000/v1" in said(clients)
    shown = said(addresses)
    for place in ("proxy.example", "http://gpu.example:8000/v1", "google.serper.dev"):
        assert place in shown
    assert "the-secret" not in shown
    assert "password" not in shown
    assert "sent to" not in said(clients)


HOOK = "https://hooks.example/backtrail"


@pytest.mark.parametrize("guarded", ["key", "BACKTRAIL_OPEN", "SERPER_API_KEY"])
def test_they_are_the_users_own_until_there_is_a_key_or_others_may_ask(monkeypatch: Any, guarded: str) -> None:
    check_webhook(HOOK)
    if guarded == "key":
        add_key("anna")
    else:
        monkeypatch.setenv(guarded, "yes")
    with pytest.raises(SettingsError, match=WEBHOOKS):
        check_webhook(HOOK)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        (HOOK, True),
        ("https://HOOKS.example/backtrail", True),
        (f"{HOOK}s", False),
        ("https://hooks.example:443/backtrail", True),
        ("http://hooks.example/backtrail", False),
        ("https://hooks.example:8443/backtrail", False),
        ("/threads", False),
    ],
)
def test_allowed_are_the_listed_and_what_lies_below(monkeypatch: pytest.MonkeyPatch, url: str, allowed: bool) -> None:
    monkeypatch.setenv(WEBHOOKS, f"{HOOK}, https://other.example")
    if allowed:
        check_webhook(url)
    else:
        with pytest.raises(SettingsError, match=WEBHOOKS):
            check_webhook(url)
