"""Keys to the server: what is kept of them, and what the commands say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.tools.access.api_keys import VARIABLE, KeyRing, add_key, keys_file, read_holders, revoke_key
from backtrail.tools.errors import SettingsError


def keys(*arguments: str) -> str:
    ran = CliRunner().invoke(app, ["keys", *arguments])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_a_key_is_shown_once_and_its_digest_kept() -> None:
    key = keys("add", "anna").strip()
    assert key not in keys_file().read_text()
    assert key not in keys("list")
    assert keys_file().stat().st_mode & 0o777 == 0o600
    ring = KeyRing()
    assert ring.holder(key) == "anna"
    assert ring.holder(key[:-1]) is None
    assert ring.holder("") is None
    other = json.loads(keys("add", "bert", "--json"))
    assert other["name"] == "bert"
    assert (ring.holder(key), ring.holder(other["key"])) == ("anna", "bert")
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
    assert "nobody is let in" in keys("list")
    assert add_key("anna") != key


def test_a_server_that_asked_for_keys_does_not_open_when_the_file_goes() -> None:
    add_key("anna")
    ring = KeyRing()
    assert not ring.is_open()
    keys_file().unlink()
    for _ in range(2):
        with pytest.raises(SettingsError, match="is gone"):
            ring.is_open()
    key = add_key("anna")
    assert ring.holder(key) == "anna"


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
        (f"[anna]\nsha256 = '{'0' * 64}'\nadmin = true\n", "has admin; known are"),
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
    assert KeyRing().holder(key) == "anna"


def test_the_doctor_says_whether_the_server_is_open() -> None:
    def access() -> dict[str, str]:
        ran = CliRunner().invoke(app, ["doctor", "--json"])
        return next(check for check in json.loads(ran.stdout)["checks"] if check["name"] == "access")

    assert access()["state"] == "note"
    assert "open" in access()["detail"]
    add_key("anna")
    assert access()["state"] == "ok"
    keys_file().write_text("broken")
    assert access()["state"] == "broken"
