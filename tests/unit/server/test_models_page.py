"""Models of a home are stored once, by the page of its owner, and no key is shown or stored."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from backtrail.server.ui.local_app import app
from backtrail.server.ui.models import without_keys
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.file import load_settings
from backtrail.tools.settings.store_models import full_name

SECRET = "sk-1234567890"
FILE = '# ours\nreader = "offline"\nk = 7\n\n[fif]\nshortlist = 9\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("BACKTRAIL_TRIES", "1")
    return tmp_path / "settings.toml"


@pytest.fixture
def page(file: Path) -> TestClient:
    return TestClient(app(), base_url="http://localhost", client=("127.0.0.1", 1))


def sent(page: TestClient, action: str, **given: str) -> tuple[int, str]:
    token = re.search(r'name="token" value="([^"]+)"', page.get("/ui/settings").text) or pytest.fail("no token")
    roles = {"planner": "offline", "reader": "offline", "vlm": "offline"}
    answer = page.post("/ui/settings", data={"token": token[1], "action": action, **roles, **given})
    return answer.status_code, answer.text


def test_stored_models_are_those_of_every_run_and_other_settings_stay(page: TestClient, file: Path) -> None:
    file.write_text(FILE)
    status, said = sent(page, "store", planner="openai:gpt-5-mini", reader="qwen3:8b", url="http://127.0.0.1:9/v1")
    assert (status, "Stored." in said, SECRET in said) == (200, True, False)
    settings = load_settings()
    assert (settings.planner, settings.reader) == (
        "openai:gpt-5-mini",
        "openai-compatible:qwen3:8b@http://127.0.0.1:9/v1",
    )
    assert (settings.vlm, settings.k, settings.fif.shortlist) == ("offline", 7, 9)
    assert (file.stat().st_mode & 0o777, "# ours" in file.read_text(), SECRET in file.read_text()) == (
        0o600,
        True,
        False,
    )


@pytest.mark.parametrize("given", [{"reader": "nonsense"}, {"reader": "no-such:model"}, {"vlm": "m", "url": "ftp://x"}])
def test_a_name_that_is_none_is_refused_and_nothing_is_stored(
    page: TestClient, file: Path, given: dict[str, str]
) -> None:
    status, said = sent(page, "store", **given)
    assert (status, 'role="alert"' in said, file.exists()) == (422, True, False)


def test_a_test_tells_the_error_of_a_model_and_stores_nothing(page: TestClient, file: Path) -> None:
    status, said = sent(page, "try", reader="openai-compatible:m@http://127.0.0.1:9/v1")
    assert (status, file.exists(), SECRET in said) == (200, False, False)
    assert "<b>openai-compatible:m@http://127.0.0.1:9/v1</b> " in said
    assert re.search(r"</b> \w+: ", said), "the type of the error"


@pytest.mark.usefixtures("file")
def test_a_key_in_an_error_is_not_repeated() -> None:
    assert without_keys(f"401: {SECRET} is no key") == "401: (OPENAI_API_KEY) is no key"


def test_a_name_alone_needs_an_address() -> None:
    assert full_name("", "") == "offline"
    assert full_name("m", "http://127.0.0.1:1/v1") == "openai-compatible:m@http://127.0.0.1:1/v1"
    with pytest.raises(SettingsError, match="is not a model name"):
        full_name("m", "")
