"""What a user is told to type where a package is missing works for how Backtrail was installed."""

import json
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Any

import pytest

from backtrail.tools import installation
from backtrail.tools.installation import install_command


@pytest.mark.parametrize(
    ("noted", "command"),
    [
        (None, "pip install 'backtrail[server]'"),
        ({"url": "file:///home/a%20b", "dir_info": {"editable": True}}, "pip install -e '/home/a b[server]'"),
        ({"url": "https://x.org/b.whl", "archive_info": {}}, "pip install 'backtrail[server] @ https://x.org/b.whl'"),
    ],
)
def test_an_extra_comes_from_where_the_package_came_from(noted: Any, command: str, monkeypatch: Any) -> None:
    held = SimpleNamespace(read_text=lambda _: json.dumps(noted) if noted else None)
    monkeypatch.setattr(installation, "distribution", lambda _: held)
    assert install_command("server") == command


def test_a_copy_that_nobody_installed_is_installed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.setattr(installation, "distribution", absent)
    assert install_command() == "pip install 'backtrail'"
