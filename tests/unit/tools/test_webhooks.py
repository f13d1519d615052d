"""Webhooks: which addresses of clients a server sends to."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.tools.access.api_keys import add_key
from backtrail.tools.access.webhooks import WEBHOOKS, check_webhook
from backtrail.tools.errors import SettingsError

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
        (f"{HOOK}/run?token=1", True),
        ("https://HOOKS.example/backtrail", True),
        ("https://other.example/x", True),
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
