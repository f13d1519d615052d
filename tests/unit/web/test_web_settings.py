from typing import Any

import pytest
from pydantic import ValidationError

from backtrail.state.settings import Settings
from backtrail.state.web_settings import WebSettings
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.context import check_context
from backtrail.tools.settings.file import load_settings
from backtrail.tools.settings.keys import ROLES, known_keys
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web import environment
from backtrail.tools.web.errors import SearchRejected


def test_none_as_written_on_a_command_line_is_a_provider_and_the_open_web_is_safe_by_default(monkeypatch):
    assert (environment.loopback_allowed(), environment.robots_honoured()) == (False, True)
    assert load_settings({"web.provider": "none"}).web.provider == "none"
    monkeypatch.setenv("BACKTRAIL_WEB_PROVIDER", "none")
    assert load_settings().web.provider == "none"


@pytest.mark.parametrize(
    "given",
    [
        {"provider": "google"}, {"pages": 0}, {"pages": 1000}, {"page_tokens": 1}, {"language": "english!"},
        {"country": "../x"}, {"min_images": 5, "max_images": 4}, {"page_bytes": 10**9}, {"fetch_timeout": 0},
        {"cache_hours": -1}, {"allow_loopback": True}, {"serpapi_url": "http://10.0.0.1"},
    ],
)  # fmt: skip
def test_what_is_out_of_bounds_or_the_operator_s_is_no_setting(given):
    with pytest.raises(ValidationError):
        WebSettings.model_validate(given)


@pytest.mark.parametrize(("provider", "variable"), [("serpapi", "SERPAPI_API_KEY"), ("serper", "SERPER_API_KEY")])
async def test_a_provider_without_a_key_names_the_variable(provider, variable):
    settings = load_settings({"web.provider": provider})
    with pytest.raises(SearchRejected, match=variable):
        await Toolbox().searches(settings).text("the Elbe")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SERPAPI_BASE_URL", "serpapi.com"), ("BACKTRAIL_FETCH_LOOPBACK", "perhaps"),
        ("BACKTRAIL_SEARCH_RPM", "many"), ("BACKTRAIL_TRIES", "0"), ],
)  # fmt: skip
async def test_an_unusable_variable_is_named(monkeypatch, variable, value):
    monkeypatch.setenv("SERPAPI_API_KEY", "key")
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        await Toolbox().searches(load_settings({"web.provider": "serpapi"})).text("the Elbe")


async def test_on_a_server_pages_go_to_no_service_that_its_host_has_not_configured(monkeypatch):
    monkeypatch.setenv("SERPAPI_API_KEY", "key")
    monkeypatch.setenv("BACKTRAIL_SERVING", "yes")
    settings = load_settings({"web.provider": "serpapi", "web.reader": "jina"})
    with pytest.raises(SearchRejected, match="JINA_API_KEY"):
        await Toolbox().searches(settings).text("the Elbe")
    with pytest.raises(SearchRejected, match="JINA_API_KEY"):
        check_context({"web": {"reader": "jina"}})
    monkeypatch.setenv("JINA_BASE_URL", "http://127.0.0.1:9")
    check_context({"web": {"reader": "jina"}})
    assert Toolbox().searches(settings).provider == "serpapi"


def test_what_a_run_is_steered_by_names_no_address_and_no_folder_but_in_the_models():
    """A new setting that is free text has to be thought about: on a server it comes from a client."""
    free = {name for name in known_keys() if "string" in str(_schema(name).get("type")) and not _bounded(name)}
    assert free == {*ROLES, "corpus"}  # models: tools/deciders/allowed.py; corpus: tools/home.py


def _schema(key: str) -> dict[str, Any]:
    schema = Settings.model_json_schema()
    *tables, name = key.split(".")
    place = schema
    for table in tables:
        place = schema["$defs"][place["properties"][table]["$ref"].rpartition("/")[2]]
    return place["properties"][name]


def _bounded(key: str) -> bool:
    return bool({"enum", "pattern", "const"} & set(_schema(key)))
