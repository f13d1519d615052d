"""Repair, schema, prices, names, troubles: the parts of the chat-model decider without any model."""

import json
from email.utils import formatdate
from pathlib import Path
from time import time
from typing import Any

import aiohttp
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from backtrail.tools.deciders.json_schema import strict_schema
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.deciders.prices import LIST_PRICES, load_prices, price
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.classify_error import redact, request_trouble, retry_after
from backtrail.tools.deciders.requests.repair_json import json_candidates
from backtrail.tools.errors import SettingsError


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}',
        '```json\n{"a": [1, 2]}\n```',
        'Set {x} of {y}: {"a": [1, 2]}',
        "<think>{oh}</think>\n{'a': [1, 2]}",
        "{'a': [1, 2,],}",
        '{"a": [1, 2]',
        '{"a": [1,, "b": }\nOnce more:\n{"a": [1, 2]}',
    ],
)
def test_finds_the_object(text: str) -> None:
    assert {"a": [1, 2]} in list(json_candidates(text))


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", "<think>{'a': 1}", "}{"])
def test_finds_nothing_where_there_is_nothing(text: str) -> None:
    assert list(json_candidates(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        # cut off, unescaped, and with a comma too many: what is quoted in it is no reply
        '{"b": "the page says {\\"a\\": [1, 2]}", "c": [',
        '{"b": "the page says {"a": [1, 2]}", "c": 3',
        '{"b": "the page says {\'a\': [1, 2]}", "c": 3,, }',
        '{"b": "x" "y": {"a": [1, 2]}, "c": 3}',
    ],
)
def test_an_object_within_a_damaged_one_is_no_reply(text: str) -> None:
    found = list(json_candidates(text))
    assert found
    assert {"a": [1, 2]} not in found


@pytest.mark.parametrize("hostile", ["{" * 5_000 + '{"a":' * 5_000, '{"a": "' + '\\"' * 60_000])
def test_a_hostile_reply_is_read_to_its_end(hostile: str) -> None:
    assert isinstance(list(json_candidates(hostile)), list)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


AROUND = st.text(alphabet="abc .,\n")


@example({"a": "<think>x</think>"}, "", "")
@given(st.dictionaries(st.text(max_size=9), plain, max_size=4), AROUND, AROUND)
def test_sound_json_is_never_changed(value: dict[str, Any], before: str, after: str) -> None:
    assert next(json_candidates(f"{before}{json.dumps(value)}{after}")) == value


def test_a_field_may_be_called_like_a_keyword() -> None:
    class Titled(BaseModel):
        title: str
        format: int = 1

    schema = strict_schema(Titled)
    assert schema["properties"] == {"title": {"type": "string"}, "format": {"type": "integer"}}


def test_prices_of_the_user_come_before_the_list(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    assert load_prices(file) is LIST_PRICES
    file.write_text('[mine]\ninput = 1\noutput = 2.5\ncached = 0.5\n["gpt-5"]\ninput = 9\noutput = 9\n')
    prices = load_prices(file)
    assert price("mine", 1_000_000, 1_000_000, prices=prices) == 3.5
    assert price("mine", 1_000_000, 0, cached_tokens=1_000_000, prices=prices) == 0.5
    assert price("mine-2024-07-18", 1_000_000, 0, prices=prices) == 1
    assert price("gpt-5", 1_000_000, 0, prices=prices) == 9
    assert price("gpt-4o", 1_000_000, 0, prices=prices) == price("gpt-4o", 1_000_000, 0) != 0
    assert price("unheard-of", 1, 1) is None


@pytest.mark.parametrize("text", ["not toml", "mine = 3", "[mine]\ninput = 1", "[mine]\ninput = -1\noutput = 1"])
def test_wrong_prices_are_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"prices\.toml"):
        load_prices(file)


def test_names() -> None:
    assert parse_model_name("openai:ft:gpt-4o-mini:me").model == "ft:gpt-4o-mini:me"
    own = parse_model_name("openai-compatible:org/name@2@https://host:8000/v1/")
    assert (own.model, own.base_url) == ("org/name@2", "https://host:8000/v1")
    assert parse_model_name("recorded:some/folder").model == "some/folder"


@pytest.mark.parametrize(
    "text",
    ["", "gpt-5", "openai: ", "anthropic:", "nobody:model", "openai-compatible:x", "openai-compatible:x@ftp://h/v1"],
)
def test_wrong_names_list_what_exists(text: str) -> None:
    with pytest.raises(SettingsError, match="openai-compatible:NAME@http"):
        parse_model_name(text)


def test_passwords_in_addresses_are_refused_and_not_shown() -> None:
    for text in ("openai-compatible:m@http://me:pass@host/v1", "openai-compatible:@http://me:pass@host/v1"):
        with pytest.raises(SettingsError) as caught:
            parse_model_name(text)
        assert "pass@" not in str(caught.value)


def test_keys_are_taken_out() -> None:
    text = redact("Incorrect key sk-abcdef123456, Bearer abc.def; mysecret", ("mysecret",))
    assert text == "Incorrect key [key], [key] [key]"


def test_retry_after_in_all_its_forms() -> None:
    assert retry_after({"retry-after": "3"}) == 3
    assert retry_after({"retry-after-ms": "250"}) == 0.25
    assert retry_after({"retry-after": formatdate(time() + 30, usegmt=True)}) == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": formatdate(time() - 30, usegmt=True)}) == 0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_waits_grow_and_are_bounded() -> None:
    patience = Backoff(first_wait=1, longest_wait=5, longest_retry_after=60, jitter=lambda: 1.0)
    assert [patience.wait(failures, None) for failures in (1, 2, 3, 4, 5)] == [1, 2, 4, 5, 5]
    assert Backoff(jitter=lambda: 0.0).wait(1, 7.0) == 7
    assert Backoff(jitter=lambda: 0.0).wait(1, 3600.0) == 60


@pytest.mark.parametrize(
    "error",
    [
        TimeoutError(),
        ValueError({"code": 503, "message": "x"}),
        aiohttp.ServerDisconnectedError(),
    ],
)
def test_what_is_transient(error: Exception) -> None:
    trouble = request_trouble(error)
    assert trouble.transient
    assert request_trouble(AssertionError("a mistake of our own")) is None
