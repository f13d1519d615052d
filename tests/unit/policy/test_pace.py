from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.server.policy.pace import Pace


@given(st.integers(1, 50), st.lists(st.floats(0, 30), max_size=200))
def test_no_minute_holds_more_than_twice_the_rate(a_minute: int, waits: list[float]) -> None:
    """The bucket is full at first and fills once within a minute."""
    pace, now, answered = Pace(), 0.0, []
    for wait in waits:
        now += wait
        if not pace.wait("anna", a_minute, now):
            answered.append(now)
    for moment in answered:
        assert sum(moment <= other < moment + 60 for other in answered) <= 2 * a_minute


def test_one_holder_waits_and_another_does_not() -> None:
    pace = Pace()
    assert [pace.wait("anna", 2, 0.0) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert pace.wait("bert", 2, 0.0) == 0.0
    assert pace.wait("anna", 2, 30.0) == 0.0
