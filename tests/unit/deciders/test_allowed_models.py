"""Which models may be named by whom, and where keys go."""

import pytest

from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs
from backtrail.tools.access.api_keys import add_key
from backtrail.tools.access.serving import SERVING
from backtrail.tools.deciders.allowed import check_allowed, check_clients_may_name, check_stored
from backtrail.tools.deciders.environment import api_key
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.errors import SettingsError
from backtrail.tools.settings.context import check_context

ELSEWHERE = "openai-compatible:x@http://elsewhere.example/v1"
OWN = "openai-compatible:x@http://own.example:8000/v1"


def may_name(text: str) -> bool:
    try:
        check_clients_may_name(parse_model_name(text))
    except SettingsError as error:
        return "BACKTRAIL_MODELS" not in str(error)
    return True


@pytest.mark.parametrize(
    ("pattern", "named", "allowed"),
    [
        ("openai:gpt-5*", "openai:gpt-5-mini", True),
        ("openai:gpt-5*", "openai:o3", False),
        ("openai-compatible:*@http://localhost:*", "openai-compatible:x@http://localhost:8000/v1", True),
        ("openai-compatible:*@http://localhost:*", "openai-compatible:x@http://LOCALHOST:8000/v1", True),
        ("openai-compatible:*@http://localhost:*", "openai-compatible:x@https://localhost:8000/v1", False),
        # the wildcard of the name or of the port reaches into no other part
        ("openai-compatible:*@http://localhost:*", "openai-compatible:a@http://localhost:1@http://evil/v1", False),
        ("openai-compatible:*@http://own/v1", "openai-compatible:x@http://own/v1/../admin", False),
        ("openai-compatible:*@http://own/v1", "openai-compatible:x@http://own/v1", True),
        ("openai-compatible:*@http://own/v1", "openai-compatible:x@http://own/v1/", True),
        ("openai-compatible:*@http://own/v1", "openai-compatible:x@http://own/v2", False),
        ("openai-compatible:qwen@http://own", "openai-compatible:llama@http://own/v1", False),
        ("openai-compatible:*", ELSEWHERE, True),
        ("*", ELSEWHERE, True),
        ("local:/models/*", "local:/models/qwen", True),
        ("local:/models/*", "local:/models/../home/me", False),
        ("offline-only", "openai:gpt-5", False),
    ],
)
def test_patterns(monkeypatch: pytest.MonkeyPatch, pattern: str, named: str, allowed: bool) -> None:
    monkeypatch.setenv("BACKTRAIL_MODELS", f"none:such, {pattern}")
    if allowed:
        check_allowed(parse_model_name(named))
    else:
        with pytest.raises(SettingsError):
            check_allowed(parse_model_name(named))


@pytest.mark.parametrize(
    "url",
    ["http://own:80.evil/v1", "http://own\\.evil/v1", "http://own?@evil/v1", "http://ow\nn/v1", "http://own/v1?a=b",
     "http://own/v1#a", "http://own:pw@evil", "http:///v1", "//own/v1", "http://own/v1/%2e%2e/stolen",
     "http://own/v1/%2E./stolen", "http://own/v1/..%2fstolen", "http://own/v1/%252e%252e/stolen",
     "http://own/v1/..;a/stolen", "http://own/v1/%zz"],
)  # fmt: skip
def test_addresses_that_two_readers_could_read_differently_name_no_model(url: str) -> None:
    with pytest.raises(SettingsError, match="not of this form"):
        parse_model_name(f"openai-compatible:x@{url}")


def test_on_a_server_the_key_goes_only_where_the_host_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_API_KEY", "key-for-own")
    assert api_key(parse_model_name(ELSEWHERE)) == "key-for-own"  # named at the command line
    monkeypatch.setenv(SERVING, "yes")
    assert api_key(parse_model_name(ELSEWHERE)) is None
    assert api_key(parse_model_name(OWN)) is None
    monkeypatch.setenv("BACKTRAIL_MODELS", "*")  # allowed is not keyed
    assert api_key(parse_model_name(ELSEWHERE)) is None
    monkeypatch.setenv("BACKTRAIL_API_URL", "http://another.example, http://own.example:8000/v1/")
    assert api_key(parse_model_name(OWN)) == "key-for-own"
    for other in ("http://own.example/v1", "https://own.example:8000/v1", "http://own.example:8000/v11"):
        assert api_key(parse_model_name(f"openai-compatible:x@{other}")) is None
    monkeypatch.delenv(SERVING)
    assert api_key(parse_model_name(ELSEWHERE)) is None  # the address binds the key at the command line too
    monkeypatch.delenv("BACKTRAIL_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert api_key(parse_model_name(OWN)) is None  # OpenAI's key never goes elsewhere


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        (SERVING, "perhaps"),
        *(("BACKTRAIL_API_URL", url) for url in ("own.example", "http://me:pw@own.example", "http://own.example?x")),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv("BACKTRAIL_API_KEY", "key")
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        api_key(parse_model_name(OWN))


@pytest.mark.parametrize("key", ["OPENAI_API_KEY", "SERPAPI_API_KEY", "ANTHROPIC_API_KEY", "to the server"])
def test_clients_name_addresses_while_there_is_no_key_and_no_folders(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    assert may_name(ELSEWHERE)
    assert not may_name("local:/models/qwen")
    assert not may_name("recorded:/var/records")
    if key == "to the server":
        add_key("anna")
    else:
        monkeypatch.setenv(key, "secret")
    assert not may_name(ELSEWHERE)
    assert not may_name("local:/models/qwen")
    assert may_name("openai:gpt-5-mini")  # at an address of the host's
    monkeypatch.setenv("BACKTRAIL_API_URL", "http://own.example:8000/v1")
    assert may_name(OWN)
    assert not may_name(ELSEWHERE)
    monkeypatch.setenv("BACKTRAIL_MODELS", f"{ELSEWHERE},local:/models/*")
    assert may_name(ELSEWHERE)
    assert may_name("local:/models/qwen")
    assert not may_name("openai:gpt-5-mini")


async def test_what_clients_may_not_name_is_refused_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_API_KEY", "key-for-own")
    monkeypatch.setenv(SERVING, "yes")
    asked = ContextualizeInputs(conversation=[], question="Who?")
    for named in (ELSEWHERE, "local:/models/qwen", "recorded:/var/records"):
        with pytest.raises(SettingsError, match="BACKTRAIL_MODELS"):
            check_context({"reader": named})
        with pytest.raises(SettingsError, match="BACKTRAIL_MODELS"):
            await open_decider(named, temperature=0).decide(CONTEXTUALIZE, asked)


def test_the_hosts_key_does_not_follow_a_clients_stored_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    check_stored(ELSEWHERE)
    monkeypatch.setenv("BACKTRAIL_API_KEY", "key-for-own")
    with pytest.raises(SettingsError, match="BACKTRAIL_MODELS"):
        check_stored(ELSEWHERE)
    monkeypatch.setenv("BACKTRAIL_MODELS", "*")
    with pytest.raises(SettingsError, match="Name it yourself"):
        check_stored(ELSEWHERE)
    monkeypatch.setenv("BACKTRAIL_API_URL", "http://elsewhere.example")
    check_stored(ELSEWHERE)
