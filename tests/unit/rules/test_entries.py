"""A default that says nothing of what it is one of is read by its entry; values are read with the units they have."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.language.spans import spans
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.measures import dimension, dimensions_asked, measures
from backtrail.rules.reader.written.defaults import asks_default
from backtrail.rules.reader.written.entries import is_bare_default
from backtrail.rules.reader.written.forms import asked_form
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


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What did Ada pay for the boat?", "number"),
        ("What's the most boats that fit into the lock?", "number"),
        ("What is the least I pay as a fee?", "number"),
        ("What was a share of the harbour worth in 1990?", "number"),
        ("What's the highest fine for mooring?", "number"),
        ("What is the most famous boat of Orrin?", "entity"),
        ("What part of the lock was paid for by Ada?", "entity"),
        ("What did Ada pay attention to?", "entity"),
    ],
)
def test_what_asks_for_an_amount(question: str, kind: str) -> None:
    assert analyse(question).kind == kind


def test_what_is_paid_is_read_as_a_sum() -> None:
    told = "Ada Roe bought the boat at Orrin in May and paid $4,200 for it."
    assert _read("What did Ada Roe pay for the boat at Orrin?", _text(0, told)) == "$4,200"


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which Heron goes with the pump?", "name"),
        ("What do I pass to the pump?", "passed"),
        ("What do I put into which environment variable?", "variable"),
        ("What sort of option is --pump?", None),
        ("Which heron lives at the lock?", None),
    ],
)
def test_how_what_is_asked_for_is_written(question: str, noun: str | None) -> None:
    form = asked_form(analyse(question))
    assert (form.noun if form else None) == noun


def test_a_version_is_read_with_its_name() -> None:
    told = "The lock gate of the harbour can be closed from afar since Heron 4.2, which came late."
    assert _read("Since which Heron can I close the lock gate of the harbour?", _text(0, told)) == "Heron 4.2"


def test_a_variable_in_a_block_of_its_own_is_read_by_what_announces_it() -> None:
    evidence = [
        _text(0, "If the pump of Orrin stops with a full log, set the variable below:"),
        _text(1, 'PUMPLOG="-s small"'),
    ]
    asked = "The pump of Orrin stops with a full log. What do I put into which environment variable?"
    assert _read(asked, *evidence) == 'PUMPLOG="-s small"'
