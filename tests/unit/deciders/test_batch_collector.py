"""The collector of batched requests: whatever fails, nobody waits for ever."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.rust_panic import Panic

from backtrail.tools.deciders.batch.collector import Body, Collector, Pace
from backtrail.tools.deciders.batch.endpoint import Result, State
from backtrail.tools.deciders.batch.errors import BatchedRequestFailed
from backtrail.tools.deciders.batch.ledger import Ledger
from backtrail.tools.errors import LibraryCrashed

PACE = Pace(quiet=0.01, first_look=0.01, last_look=0.01)


class Endpoint:
    """Answers each request with its own body; ``fault`` is called with the name of each call before it."""

    def __init__(self) -> None:
        self.fault: Callable[[str], None] = lambda call: None
        self.submitted: dict[str, Body] = {}

    def submit(self, requests: dict[str, Body]) -> str:
        self.fault("submit")
        self.submitted |= requests
        return "batch"

    def state(self, batch: str) -> State:
        self.fault("state")
        return State("completed")

    def results(self, state: State) -> Any:
        self.fault("results")
        return {key: Result(200, body) for key, body in self.submitted.items()}


@pytest.mark.parametrize("call", ["submit", "state", "results"])
def test_a_crash_fails_what_waits_and_the_next_request_is_answered(tmp_path: Path, call: str) -> None:
    endpoint = Endpoint()
    collector = Collector(endpoint, Ledger(tmp_path, "server"), PACE)
    crashes = [call]

    def fault(name: str) -> None:
        if name in crashes:
            crashes.remove(name)
            raise Panic("poisoned")

    endpoint.fault = fault
    raised = collector.ask({"text": "first"}).exception(10)
    assert isinstance(raised, LibraryCrashed)
    assert isinstance(raised.__cause__, Panic)
    assert collector.ask({"text": "second"}).result(10) == {"text": "second"}


def test_a_request_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    collector = Collector(Endpoint(), Ledger(tmp_path, "server"), PACE)
    bad, good = collector.ask({"text": {1, 2}}), collector.ask({"text": "good"})
    assert isinstance(bad.exception(10), TypeError)
    assert good.result(10) == {"text": "good"}


def test_waiting_ends_where_the_disk_is_full_too(tmp_path: Path) -> None:
    class Gone(Exception):
        status_code = 404

    endpoint, ledger = Endpoint(), Ledger(tmp_path, "server")
    collector = Collector(endpoint, ledger, PACE)
    went = ledger.went

    def fault(name: str) -> None:
        if name == "state":
            ledger.went = full  # type: ignore[method-assign]
            raise Gone

    def full(requests: Any, batch: str | None) -> None:
        ledger.went = went  # type: ignore[method-assign]
        raise OSError(28, "No space left on device")

    endpoint.fault = fault
    assert isinstance(collector.ask({"text": "first"}).exception(10), BatchedRequestFailed)
