"""Quotas and requests a minute: counted once, seen by all processes, not to be passed by asking at the same time."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.state.usage import charge
from backtrail.tools.access.policy.allowed import Allowed, allowed
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.policy.errors import QuotaReached
from backtrail.tools.access.records import spending
from backtrail.tools.access.records.request_rates import wait_for_request
from backtrail.tools.access.records.spending import (
    admit_run,
    run_began,
    run_spent,
    spent_today,
    take_back,
)


def granted(name: str, **said: dict[str, float]) -> Allowed:
    return allowed(Policy.model_validate({"everyone": said}), name, closed=True)


@pytest.mark.usefixtures("store")
def test_a_run_counts_once_however_often_it_is_written() -> None:
    whom = granted("anna-once")
    admit_run("run-1", whom)
    assert (spent_today(whom.name).runs, spent_today(whom.name).concurrent_runs) == (1, 1)
    for ended in (False, False, True):
        run_began("run-1", whom.name)
        run_spent("run-1", charge(calls=2, input_tokens=30, output_tokens=4, cost_usd=0.5), ended=ended)
    spent = spent_today(whom.name)
    assert (spent.runs, spent.calls, spent.tokens, spent.usd, spent.concurrent_runs) == (1, 2, 34, 0.5, 0)
    assert spent_today("nobody").runs == 0


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"quota": {"runs": 1}}, "Today's quota of 1 runs is used up"),
        ({"quota": {"tokens": 34}}, "Today's quota of 34 tokens is used up"),
        ({"quota": {"usd": 0.5}}, "Today's quota of 0.5 US dollars is used up"),
        ({"rate": {"runs": 1}}, "1 runs a minute may start here"),
    ],
)
def test_what_is_used_up_is_refused_with_the_time_to_wait(said: dict[str, dict[str, float]], sentence: str) -> None:
    whom = granted(f"bert-{sentence[:12]}-{next(iter(said['quota'] if 'quota' in said else said['rate']))}", **said)
    admit_run(f"{whom.name}-1", whom)
    run_began(f"{whom.name}-1", whom.name)
    run_spent(f"{whom.name}-1", charge(calls=1, input_tokens=30, output_tokens=4, cost_usd=0.5), ended=True)
    with pytest.raises(QuotaReached, match=sentence) as raised:
        admit_run(f"{whom.name}-2", whom)
    assert 0 < raised.value.wait <= spending.DAY


@pytest.mark.usefixtures("store")
def test_askers_side_by_side_do_not_pass_a_quota_together() -> None:
    whom = granted("carl", quota={"runs": 5})

    def ask(number: int) -> bool:
        try:
            admit_run(f"carl-{number}", whom)
        except QuotaReached:
            return False
        return True

    with ThreadPoolExecutor(8) as several:
        assert sum(several.map(ask, range(20))) == 5


@pytest.mark.usefixtures("store")
def test_runs_that_wait_or_work_are_bounded_until_they_end() -> None:
    whom = granted("dora", rate={"concurrent_runs": 2})
    admit_run("dora-1", whom)
    admit_run("dora-2", whom)
    run_began("dora-2", whom.name)
    with pytest.raises(QuotaReached, match="2 of your runs are pending or running"):
        admit_run("dora-3", whom)
    run_spent("dora-2", charge(), ended=True)
    admit_run("dora-3", whom)


@pytest.mark.usefixtures("store")
def test_a_run_that_is_refused_after_all_is_taken_back_unless_it_began() -> None:
    whom = granted("fritz", quota={"runs": 2}, rate={"runs": 2, "concurrent_runs": 2})
    for run in ("fritz-1", "fritz-2"):
        admit_run(run, whom)
    run_began("fritz-2", whom.name)
    take_back(["fritz-1", "fritz-2"])
    admit_run("fritz-3", whom)
    with pytest.raises(QuotaReached):
        admit_run("fritz-4", whom)


def test_a_run_that_never_began_stops_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    whom = granted("emil", quota={"runs": 1})
    admit_run("emil-1", whom)
    monkeypatch.setattr(spending, "ADMITTED_FOR", -1.0)
    admit_run("emil-2", whom)


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
