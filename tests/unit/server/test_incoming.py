"""What a run is begun with, and what Python would make of a request, is refused in words before it does harm."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph_sdk import Auth

from backtrail.server import request_memory
from backtrail.server.request_memory import MemoryCounter, TooBusy, check_json, is_small
from backtrail.server.validate_requests import check_assistant, check_run, refusing
from backtrail.state.errors import InputRefused


@pytest.mark.parametrize("part", ["config", "command"])
@pytest.mark.parametrize("sent", ["x", [1], 7])
async def test_a_part_that_is_no_object(part: str, sent: Any) -> None:
    run = {"assistant_id": "fif", "kwargs": {"input": {"question": "Why?"}, part: sent}}
    with pytest.raises(Auth.exceptions.HTTPException) as caught:
        await refusing(check_run, run)
    assert (caught.value.status_code, caught.value.detail) == (422, f"{part!r} must be an object.")


async def test_an_assistants_config_that_is_no_object() -> None:
    with pytest.raises(Auth.exceptions.HTTPException, match="'config' must be an object"):
        await refusing(check_assistant, {"graph_id": "fif", "config": "x"})


@pytest.mark.parametrize("sent", [None, {}])
async def test_an_empty_one_is_none(sent: Any) -> None:
    await refusing(check_run, {"assistant_id": "fif", "kwargs": {"input": {"question": "Why?"}, "config": sent}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='a,[{"\\\n'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='a,[{"\\'), inner),
)


def values_in(one: object) -> int:
    inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return 1 + sum(map(values_in, inner))


@given(JSON, st.integers(1, 20))
def test_values_are_counted_whatever_texts_hold(value: object, most: int) -> None:
    """Never more than there are, with one for each that may hold others; so prose with commas is no value."""
    counted = request_memory._values(json.dumps(value).encode(), 1_000_000)
    assert counted <= 2 * values_in(value)
    assert counted + 1 >= values_in(value)


def test_many_values_are_refused_and_long_texts_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_LIMIT_VALUES", "1000")
    check_json(json.dumps({"question": "one, two, [three], {four}, " * 1000}).encode())
    for body in (b"[" * 2000, b"[" + b"[]," * 1000 + b"[]]", b'{"a":' * 2000, b'["' + b'","' * 1001, b"0," * 1001):
        with pytest.raises(InputRefused, match=r"more than 1,000 values.*BACKTRAIL_LIMIT_VALUES"):
            check_json(body)


def depth_of(one: object) -> int:
    inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


@given(JSON)
def test_depth_is_counted_whatever_texts_hold(value: object) -> None:
    assert request_memory._depth(json.dumps(value).encode(), 1_000) == depth_of(value)


def test_deep_nesting_is_refused_and_long_lists_are_not() -> None:
    for body in (b"[" * 100 + b"]" * 100, b"[" + b"[{}]," * 1000 + b"1]", json.dumps(["[" * 1000]).encode()):
        check_json(body)
    assert not is_small(b"[" * 101)
    for body in (b"[" * 101 + b"]" * 101, b'{"a":' * 101, b"[" * 5_000):
        with pytest.raises(InputRefused, match=r"nested more than 100 levels deep"):
            check_json(body)


def test_what_is_held_is_let_go_when_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_LIMIT_REQUESTS_IN_MEMORY", "100")
    held = MemoryCounter()
    with held.one() as first:
        first.add(60)
        with held.one() as second, pytest.raises(TooBusy):
            second.add(60)
        assert held.bytes == 60
        with held.one() as third:
            third.add(30)
    assert held.bytes == 0
