"""A default that says nothing of what it is one of is read by its entry; values are read with the units they have."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.language.spans import spans
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.measures import dimension, dimensions_asked, measures
from backtrail.rules.reader.written.defaults import asks_default
from backtrail.rules.reader.written.entries import is_bare_default
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs


def _text(place: int, *sentences: str) -> EvidenceText:
    return EvidenceText(
        id=f"Orrin#{place}", modality="text", title="Orrin", section="Settings", sentences=list(sentences),
        score=1.0 - place / 20, page="Orrin", order=place, nearness=[0.5] * len(sentences),
    )  # fmt: skip


def _read(question: str, *evidence: EvidenceText) -> str:
    return read_out(ExtractInputs(question=question, evidence=list(evidence))).reading.text


_ENTRIES = (
    "valveLimit: How many valves of the pump may stay open.",
    "Setting this to 0 closes all valves of the pump.",
    "The default is 12.",
    "valveWait: How long the pump waits for a valve to close.",
    "A negative number makes it wait for ever.",
    "The default value is 90 seconds.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many valves of the Orrin pump stay open unless I change something?", "12"),
        ("How long does the Orrin pump wait for a valve to close if I set nothing?", "90 seconds"),
    ],
)
def test_a_bare_default_is_read_by_its_entry(question: str, answer: str) -> None:
    assert _read(question, _text(0, "Orrin runs pumps."), _text(1, *_ENTRIES)) == answer


def test_fields_of_an_entry_do_not_begin_another() -> None:
    fields = (
        "Specifies:: Maximum number of boats in the lock of Orrin.",
        "Type of value:: Positive number.",
        "Default value:: 14",
        "Example:: most-boats 70",
    )
    asked = "How many boats are in the lock of Orrin at most if I set no limit?"
    assert _read(asked, _text(0, "Orrin runs pumps."), _text(1, *fields)) == "14"


def test_a_number_by_default_is_one_in_words_and_never_a_phrase() -> None:
    evidence = [
        _text(0, "The operator says why the alarm of an idle Orrin pump is off by default."),
        _text(1, "A pump that sits idle raises an alarm after a while; the default idle time is two hours."),
    ]
    assert _read("How long is an Orrin pump idle before it raises an alarm, by default?", *evidence) == "two hours"


def test_a_default_is_read_as_what_is_asked_for_is_written() -> None:
    told = "The default is the local address for the lock office of Orrin, and port 8443 (older pumps had 4000)."
    assert "8443" in _read("On which port does the lock office of Orrin listen unless I say otherwise?", _text(0, told))


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How many boats fit before I tune anything?", True),
        ("Which signal ends it if I pass none?", True),
        ("How long does it wait when I leave it alone?", True),
        ("What happens if nobody changes the lock?", True),
        ("Where did he live before they set out?", False),
        ("Who was named captain when the ship left?", False),
    ],
)
def test_who_asks_for_a_default(question: str, asks: bool) -> None:
    assert asks_default(analyse(question)) is asks


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("Default: 30s", True),
        ("Defaults to 5.", True),
        ("The default value is 60.", True),
        ("The default pump is the Heron.", False),
        ("By default the pump listens on port 80.", False),
    ],
)
def test_lines_that_tell_a_default_alone(line: str, bare: bool) -> None:
    assert is_bare_default(line) is bare


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It waits 6s, then 10 ms.", [("6s", "time"), ("10 ms", "time")]),
        ("It holds 64 KiB, or 1.5 GB.", [("64 KiB", "size"), ("1.5 GB", "size")]),
        ("It lasts 1d at 200 Hz.", [("1d", "time"), ("200 Hz", "frequency")]),
        ("Built in the 1960s, or the 70s.", []),
    ],
)
def test_numbers_are_read_with_their_units(text: str, found: list[tuple[str, str]]) -> None:
    assert [(span.text, dimension(span.text)) for span in spans(text, phrases=False) if span.kind == "number"] == found


def test_minutes_and_shares_measure_what_is_asked() -> None:
    assert measures("5m", dimensions_asked("How long does it wait?"))
    assert measures("36%", dimensions_asked("How far has the budget fallen?"))
    assert not measures("36%", dimensions_asked("How far is the harbour?"))
    assert measures("2 s", dimensions_asked("How much extra does it wait?"))
