"""What is written like code is read as it is written: options, commands, files, versions, defaults."""

from __future__ import annotations

import pytest

from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.clause_readings import clause_by_clause
from backtrail.rules.reader.written.code_lines import asks_command, commands
from backtrail.rules.reader.written.defaults import asks_default, defaults
from backtrail.rules.reader.written.forms import asked_form
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import AskedClause, ExtractInputs


def _text(place: int, *sentences: str, near: float = 0.5) -> EvidenceText:
    return EvidenceText(
        id=f"Orrin#{place}", modality="text", title="Orrin", section="Running", sentences=list(sentences),
        score=1.0 - place / 20, page="Orrin", order=place, nearness=[near] * len(sentences),
    )  # fmt: skip


def _read(question: str, *evidence: EvidenceText) -> str:
    return read_out(ExtractInputs(question=question, evidence=list(evidence))).reading.text


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Which option of Orrin limits how long a pump runs?",
         "How long a pump of Orrin runs the operator limits with --pump-limit in the service file.", "--pump-limit"),
        ("Which directive of Orrin names the pump log?",
         "In Orrin the pump log is named, as in earlier releases of it, by PumpLogPath.", "PumpLogPath"),
        ("Which environment variable of Orrin holds the pump key?",
         "Orrin takes the pump key, where one is held, out of ORRIN_PUMP_KEY.", "ORRIN_PUMP_KEY"),
        ("Which file of Orrin lists the pumps?",
         "The pumps of Orrin are listed for the harbour in conf/pumps.yml and nowhere else.", "conf/pumps.yml"),
        ("Which version of Orrin dropped the valve driver?",
         "The valve driver was dropped by the maintainers of Orrin in 3.4.1, to some regret.", "3.4.1"),
        ("Under which handle does Orrin tweet?",
         "Orrin tweets from the harbour office as @orrin_pumps most weeks.", "@orrin_pumps"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_read_as_it_is_written(question: str, sentence: str, answer: str) -> None:
    assert _read(question, _text(0, "Orrin runs pumps for the harbour."), _text(1, sentence)) == answer


@pytest.mark.parametrize("question", ["Which flag flies over Orrin?", "In which port does Orrin lie?"])
def test_a_word_is_read_where_nothing_is_written_so(question: str) -> None:
    told = "The Danish flag flies over Orrin, which lies in the port of Hirtshals."
    assert _read(question, _text(0, told)) not in ("", "--")


def test_no_port_is_a_word_of_running_prose() -> None:
    evidence = [
        _text(0, "By default Orrin listens on two ports for pumps."),
        _text(1, "Orrin serves pumps on port 8443."),
    ]
    assert "8443" in _read("On which port does Orrin listen for pumps by default?", *evidence)


@pytest.mark.parametrize("question", ["Which file format does it use?", "What key size is needed?", "Who wrote it?"])
def test_what_is_asked_of_a_file_is_no_file(question: str) -> None:
    assert asked_form(analyse(question)) is None


def test_a_command_is_read_by_what_announces_it() -> None:
    evidence = [
        _text(0, "To list the pumps of Orrin:"), _text(1, "$ orrin list --all"),
        _text(2, "To drain the basin of Orrin:"), _text(3, "$ orrin drain --slow"),
    ]  # fmt: skip
    assert _read("What command drains the basin of Orrin?", *evidence) == "orrin drain --slow"
    assert _read("How do I list the pumps of Orrin?", *evidence) == "orrin list --all"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("$ openssl genrsa -out key.pem 2048", ["openssl genrsa -out key.pem 2048"]),
        ("$ orrin stop $ orrin start", ["orrin stop", "orrin start"]),
        ("Use the orrin basin status command instead.", ["orrin basin status"]),
        ("The libraries are listed under the imaging extra:", []),
        ("Then run pip install orrin to get it.", ["pip install orrin"]),
    ],
)
def test_commands_of_a_line(line: str, found: list[str]) -> None:
    assert [text for text, _ in commands(line)] == found


def test_who_asks_for_a_command() -> None:
    assert asks_command(analyse("What do I actually type?")) == 1.0
    assert 0.0 < asks_command(analyse("How do I install it on Windows?")) < 1.0
    assert asks_command(analyse("How many pumps are there?")) == 0.0


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Number of turns before a rest [default: 100000]", "100000"),
        ("default: “5m”", "5m"),
        ("The server listens on port 8080 by default.", "port 8080"),
        ("The guard time defaults to 2 s.", "2 s"),
        ("If the answer is no, then the default mode will be slow.", "slow"),
        ("with a 302 status code being used by default if none is specified.", "302 status code"),
        ("pump_greet_ttl (1d): How long a greeting counts.", "1d"),
        ("temp (default), permanent, or other.", "temp"),
        ("The default value was reduced from 100 to 10.", None),
    ],
)
def test_defaults_of_a_sentence(sentence: str, value: str | None) -> None:
    assert next((span.text for span, _ in defaults(sentence)), None) == value


def test_a_default_is_read_where_nothing_is_set() -> None:
    told = _text(0, "The pump timeout of Orrin may be 20 seconds; it defaults to 30 seconds, and 60 is the most.")
    assert _read("How long is the pump timeout of Orrin if I don't set one?", told) == "30 seconds"
    assert not asks_default(analyse("How long is the pump timeout of Orrin?"))


def test_each_clause_is_read_for_itself() -> None:
    question = "When was Orrin founded, and who is its director?"
    asked = [
        AskedClause(text="When was Orrin founded", nearness={"Orrin#0": [0.9], "Orrin#1": [0.1]}),
        AskedClause(text="who is its director?", nearness={"Orrin#0": [0.1], "Orrin#1": [0.9]}),
    ]
    evidence = [_text(0, "Orrin was founded in 1921."), _text(1, "The director of Orrin is Halvor Lindqvist.")]
    inputs = ExtractInputs(question=question, evidence=evidence, asked=asked)
    assert [one.question for one in clause_by_clause(inputs)] == [
        "When was Orrin founded?",
        "Orrin: who is its director?",
    ]
    assert read_out(inputs).reading.text == "1921; Halvor Lindqvist"


def test_a_clause_about_the_answer_of_another_is_not_read() -> None:
    question = "Who is the director of Orrin and when did she come?"
    assert clause_by_clause(AnswerInputs(question=question, evidence=[])) == []


def test_a_question_for_one_thing_has_no_clauses() -> None:
    assert clause_by_clause(AnswerInputs(question="When was Orrin founded?", evidence=[])) == []


def test_what_means_the_question_in_other_words_is_read() -> None:
    told = "Its manager may let three pumps run dry."
    question = "How many pumps does the boss allow to go without water before stepping in?"
    assert not read_out(AnswerInputs(question=question, evidence=[_text(0, told, near=0.2)])).reading.supported
    assert read_out(AnswerInputs(question=question, evidence=[_text(0, told, near=0.7)])).reading.supported


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("When does Orrin check the clock of the pumps?",
         "The clock of the pumps is one that Orrin checks only during startup.", "only during startup"),
        ("Which phone number of Orrin reaches the pump office?",
         "The pump office of Orrin is reached under the phone number 757-728-7069 on weekdays.", "757-728-7069"),
    ],
)  # fmt: skip
def test_occasions_and_numbers_are_read_whole(question: str, told: str, answer: str) -> None:
    assert answer in _read(question, _text(0, told))
