"""The queue of a local model, without one: who is answered together, and who pays for whose fault."""

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from fixtures.rust_panic import Panic
from PIL import Image

from backtrail.tools.local.batcher import Batcher
from backtrail.tools.local.errors import LocalModelFailed, RequestUnsuitable
from backtrail.tools.local.prompt import Prompt
from backtrail.tools.local.request import LocalReply, ReplyOptions, Request

PICTURE = Image.new("RGB", (4, 4))


def request(text: str, *, picture: bool = False, whole: bool = True) -> Request:
    return Request(Prompt(text, [PICTURE] if picture else [], whole), ReplyOptions())


class Model:
    """Repeats what it is asked, in batches that are remembered; the first waits until it is let go."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.busy, self.go = threading.Event(), threading.Event()
        self.fault: Callable[[Sequence[Request]], None] = lambda requests: None

    def __call__(self, requests: Sequence[Request]) -> None:
        self.batches.append([one.prompt.text for one in requests])
        self.busy.set()
        assert self.go.wait(10)
        self.fault(requests)
        for one in requests:
            one.answer.set_result(LocalReply(one.prompt.text, "stop", 1, 1))


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def batcher(model: Model) -> Iterator[Batcher]:
    made = Batcher(model, 3)
    first = request("first")
    made.submit(first)
    assert model.busy.wait(10)
    yield made
    model.go.set()
    made.close()


def answered(model: Model, batcher: Batcher, requests: Sequence[Request]) -> list[str]:
    submitted(model, batcher, requests)
    return [one.answer.result(10).text for one in requests]


def submitted(model: Model, batcher: Batcher, requests: Sequence[Request]) -> None:
    for one in requests:
        batcher.submit(one)
    model.go.set()


def failing(error: BaseException) -> Callable[[Sequence[Request]], None]:
    """Fails every batch that has a bad request in it."""

    def fault(requests: Sequence[Request]) -> None:
        if any(one.prompt.text == "bad" for one in requests):
            raise error

    return fault


def test_what_waits_and_is_tokenized_alike_runs_together_up_to_the_limit(model, batcher):
    pictures = [request(text, picture=True) for text in "fg"]
    requests = [*(request(text) for text in "abcde"), *pictures, request("h", whole=False)]
    assert answered(model, batcher, requests) == list("abcdefgh")
    assert model.batches[1:] == [["a", "b", "c"], ["d", "e"], ["f", "g"], ["h"]]
    assert (batcher.generations, batcher.rows) == (5, 9)


def test_a_fault_is_told_to_the_one_who_made_it(model, batcher):
    model.fault = failing(RequestUnsuitable("too long"))
    good, bad, other = request("a"), request("bad"), request("c")
    submitted(model, batcher, (good, bad, other))
    assert (good.answer.result(10).text, other.answer.result(10).text) == ("a", "c")
    with pytest.raises(RequestUnsuitable, match="too long"):
        bad.answer.result(10)
    assert model.batches[1:] == [["a", "bad", "c"], ["a"], ["bad"], ["c"]]


@pytest.mark.parametrize("error", [Panic("index out of bounds"), SystemExit(3), MemoryError()])
def test_a_crash_fails_its_request_and_the_next_one_is_answered(model, batcher, error):
    model.fault = failing(error)
    good, bad, later = request("good"), request("bad"), request("later")
    submitted(model, batcher, (good, bad))
    assert good.answer.result(10).text == "good"
    raised = bad.answer.exception(10)
    assert raised is error if isinstance(error, Exception) else isinstance(raised, LocalModelFailed)
    assert error in (raised, raised.__cause__ if raised else None)
    batcher.submit(later)
    assert later.answer.result(10).text == "later"


@pytest.mark.parametrize(
    ("error", "said"),
    [(RuntimeError("the device is gone"), "the device is gone"), (Panic("poisoned"), "Panic: poisoned")],
)
def test_a_reply_that_has_begun_is_not_begun_again(model, batcher, error, said):
    def fault(requests: Sequence[Request]) -> None:
        if len(requests) > 1:
            requests[0].started = True
            raise error

    model.fault = fault
    pair, later = [request("a"), request("b")], request("later")
    submitted(model, batcher, pair)
    for one in pair:
        with pytest.raises((RuntimeError, LocalModelFailed), match=said):
            one.answer.result(10)
    batcher.submit(later)
    assert later.answer.result(10).text == "later"
    assert model.batches[1:] == [["a", "b"], ["later"]]


def test_a_generation_that_does_not_end_is_given_up_when_the_model_is_closed(model, monkeypatch):
    monkeypatch.setattr("backtrail.tools.local.batcher._LONGEST_EXIT", 0.01)
    batcher, stuck = Batcher(model, 3), request("stuck")
    batcher.submit(stuck)
    assert model.busy.wait(10)
    batcher.close()
    with pytest.raises(LocalModelFailed, match="closed"):
        stuck.answer.result(10)
    late = request("late")
    batcher.submit(late)
    with pytest.raises(LocalModelFailed, match="closed"):
        late.answer.result(10)
    model.go.set()


def test_what_was_given_up_is_not_run(model, batcher):
    left, kept = request("left"), request("kept")
    left.cancel()
    submitted(model, batcher, (left, kept))
    assert kept.answer.result(10).text == "kept"
    assert model.batches[1:] == [["kept"]]


def test_closing_cancels_what_waits_and_runs(model, batcher):
    waiting = request("waiting")
    batcher.submit(waiting)
    model.fault = lambda requests: model.batches.append([str(one.cancelled.is_set()) for one in requests])
    threading.Timer(0.05, model.go.set).start()
    batcher.close()
    assert waiting.answer.cancelled()
    assert model.batches == [["first"], ["True"]]
