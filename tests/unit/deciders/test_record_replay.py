"""Recording and replaying: what was decided is decided again, and nothing else ever is."""

import json
from pathlib import Path

import pytest

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, SELECT_DOCUMENTS, Candidate, SelectInputs, Selection
from backtrail.state.offline.extract import ExtractReading
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import BrokenRecord, MissingRecord
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.deciders.recording.record import RecordingDecider
from backtrail.tools.deciders.recording.record_file import record_key
from backtrail.tools.deciders.recording.replay import ReplayingDecider
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelRefused, SettingsError

MODEL = "openai:gpt-5-mini"


def inputs(subtask: str = "Which river?", similarity: float = 0.5, title: str = "T") -> SelectInputs:
    candidate = Candidate(index=0, id="a", title=title, text="x", similarity=similarity)
    return SelectInputs(subtask=subtask, candidates=[candidate], keep=1)


CHOICES = {"choices": [{"index": 0, "id": "a", "score": 0.7}]}


async def recorded(folder: Path, model: str = MODEL) -> Decided[Selection]:
    script = ScriptedDecider({"fif_select_components": [CHOICES]}, name=model, costs=charge(calls=2, cost_usd=0.1))
    return await RecordingDecider(script, folder).decide(SELECT_COMPONENTS, inputs())


async def test_a_record_names_the_variant_and_is_replayed_for_either(tmp_path: Path) -> None:
    script = ScriptedDecider({"fif_select_components": [CHOICES]}, name=MODEL)
    await RecordingDecider(script, tmp_path, "published").decide(SELECT_COMPONENTS, inputs())
    (file,) = tmp_path.rglob("*.json")
    record = json.loads(file.read_text())
    assert record.pop("variant") == "published"
    file.write_text(json.dumps(record))  # as records were before variants had names
    await ReplayingDecider(tmp_path, MODEL).decide(SELECT_COMPONENTS, inputs())


async def test_a_reading_by_rules_is_replayed_with_how_sure_they_were(tmp_path: Path) -> None:
    river = EvidenceText(id="a", modality="text", title="Enns", sentences=["The Enns is 254 km long."], score=0.9)
    asked = AnswerInputs(question="How long is the Enns?", evidence=[river])
    was = await RecordingDecider(OfflineDecider(), tmp_path).decide(ANSWER, asked)
    assert isinstance(was.output, ExtractReading)
    assert was.output.extract.signals
    assert (await ReplayingDecider(tmp_path, OfflineDecider.name).decide(ANSWER, asked)).output == was.output


async def test_a_missing_record_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    await recorded(tmp_path)
    replay = ReplayingDecider(tmp_path, MODEL)
    with pytest.raises(MissingRecord, match=r"'Which lake\?'.*BACKTRAIL_RECORD"):
        await replay.decide(SELECT_COMPONENTS, inputs("Which lake?"))
    with pytest.raises(MissingRecord):
        await ReplayingDecider(tmp_path, "openai:other").decide(SELECT_COMPONENTS, inputs())


def test_the_key_knows_all_that_was_shown() -> None:
    def key(subject: SelectInputs, *pictures: PictureAttachment) -> str:
        return record_key(SELECT_COMPONENTS, subject, pictures)[0]

    base = key(inputs())
    red, blue = (PictureAttachment(content, "image/png", "p") for content in (b"red", b"blue"))
    assert base == key(inputs())
    assert base == key(inputs(similarity=0.5000001))  # not shown: differs between machines
    different = [
        key(inputs("Which lake?")),
        key(inputs(title="U")),
        key(inputs(), red),
        key(inputs(), blue),
        record_key(SELECT_DOCUMENTS, inputs(), ())[0],
    ]
    assert len({base, *different}) == 6


async def test_failures_are_not_recorded(tmp_path: Path) -> None:
    script = ScriptedDecider({"fif_select_components": [ModelRefused("no")]}, name=MODEL)
    with pytest.raises(ModelRefused):
        await RecordingDecider(script, tmp_path).decide(SELECT_COMPONENTS, inputs())
    assert list(tmp_path.rglob("*.json")) == []


UNKNOWN_CHOICE = {"choices": [{"index": 3, "id": "z", "score": 1}]}


@pytest.mark.parametrize("damage", ["{", "{}", "[]", {"output": UNKNOWN_CHOICE}, {"output": {"other": 1}}])
async def test_broken_records_are_named(damage: str | dict[str, object], tmp_path: Path) -> None:
    await recorded(tmp_path)
    file = next(tmp_path.rglob("*.json"))
    file.write_text(damage if isinstance(damage, str) else json.dumps(json.loads(file.read_text()) | damage))
    with pytest.raises(BrokenRecord, match=file.name):
        await ReplayingDecider(tmp_path, MODEL).decide(SELECT_COMPONENTS, inputs())


async def test_a_folder_stands_for_a_model(tmp_path: Path) -> None:
    await recorded(tmp_path)
    for folder in (tmp_path, next(tmp_path.iterdir())):
        decider = open_decider(f"recorded:{folder}", temperature=0)
        assert (await decider.decide(SELECT_COMPONENTS, inputs())).output.choices[0].id == "a"


async def test_replay_by_environment_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await recorded(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        open_decider(MODEL, temperature=0)
    monkeypatch.setenv("BACKTRAIL_REPLAY", str(tmp_path))
    decider = open_decider(MODEL, temperature=0)
    assert decider.name == MODEL
    decided = await decider.decide(SELECT_COMPONENTS, inputs())
    assert (decided.charge["calls"], decided.decider) == (2, f"recorded {MODEL}")


def test_keys_are_in_no_repr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecret1234")
    assert "verysecret" not in repr(open_decider(MODEL, temperature=0))
    monkeypatch.setenv("BACKTRAIL_RECORD", str(tmp_path))
    assert isinstance(open_decider(MODEL, temperature=0), RecordingDecider)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("BACKTRAIL_TIMEOUT", "soon"), ("BACKTRAIL_TIMEOUT", "-1"), ("BACKTRAIL_RPM", "0"), ("BACKTRAIL_TRIES", "1.5")],
)
def test_wrong_limits_are_named(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        open_decider(MODEL, temperature=0)
