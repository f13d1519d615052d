"""Requests a minute: a bucket for each holder, one for all processes."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.tools.access.records.paces import wait_for_request


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "postgres":
        monkeypatch.setenv("BACKTRAIL_CHECKPOINTS_URL", request.getfixturevalue("postgres_url"))


@settings(max_examples=20)
@given(st.integers(1, 50), st.lists(st.floats(0, 30), max_size=60))
def test_no_minute_holds_more_than_twice_the_rate(a_minute: int, waits: list[float]) -> None:
    """The bucket is full at first and fills once within a minute."""
    name, now, answered = uuid.uuid4().hex, 0.0, []
    for wait in waits:
        now += wait
        if not wait_for_request(name, a_minute, now):
            answered.append(now)
    for moment in answered:
        assert sum(moment <= other < moment + 60 for other in answered) <= 2 * a_minute


@pytest.mark.usefixtures("store")
def test_one_holder_waits_and_another_does_not() -> None:
    anna, bert = uuid.uuid4().hex, uuid.uuid4().hex
    assert [wait_for_request(anna, 2, 1000.0) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert wait_for_request(bert, 2, 1000.0) == 0.0
    assert wait_for_request(anna, 2, 1030.0) == 0.0


@pytest.mark.usefixtures("store")
def test_processes_count_together() -> None:
    name = uuid.uuid4().hex

    def ask(_: int) -> bool:
        return wait_for_request(name, 5, 2000.0) == 0.0

    with ThreadPoolExecutor(4) as several:
        assert sum(several.map(ask, range(12))) == 5
