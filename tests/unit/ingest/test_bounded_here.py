"""Parsing in the ingest's own process takes no longer than it may."""

import re
import signal
from collections.abc import Iterator

import pytest

from backtrail.ingest.parsing.in_process import TookTooLong, bounded


def spinning() -> Iterator[int]:
    yield 1
    while True:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001, S110 - as parsers guard themselves
            pass


def stuck_in_a_pattern() -> Iterator[int]:
    yield 1
    yield bool(re.match(r"(a+)+$", "a" * 60 + "b"))


@pytest.mark.parametrize("work", [spinning, stuck_in_a_pattern])
def test_what_takes_too_long_is_ended_and_nothing_rings_afterwards(work) -> None:
    before = signal.getsignal(signal.SIGPROF)
    entries = bounded(work(), 0.05)
    assert next(entries) == 1
    with pytest.raises(TookTooLong):
        next(entries)
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert signal.getsignal(signal.SIGPROF) is before
    assert list(bounded(iter([1, 2]), 5)) == [1, 2]
