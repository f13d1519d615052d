"""The calibration in use: packaged, or made at home; a damaged one is refused with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backtrail.rules.reader.calibration import Calibration, packaged
from backtrail.rules.reader.signals import SIGNALS
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractReading
from backtrail.tools.calibration import calibration_file, calibration_in_use, keep_calibration
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.errors import SettingsError

INPUTS = AnswerInputs(
    question="Who created Prime Suspect?",
    evidence=[
        EvidenceText(
            id="prime", modality="text", title="Prime Suspect",
            sentences=["Prime Suspect is a drama series created by Lynda La Plante."], score=1.0,
        )
    ],
)  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    return tmp_path


def certain(intercept: float) -> Calibration:
    flat = {name: one.model_copy(update={"weight": 0.0}) for name, one in packaged().signals.items()}
    return packaged().model_copy(update={"intercept": intercept, "signals": flat, "medium": 0.5, "high": 0.8})


def test_without_one_at_home_the_packaged_one_is_used() -> None:
    assert calibration_in_use() == packaged()
    assert set(packaged().signals) == set(SIGNALS)


@pytest.mark.parametrize(("intercept", "level"), [(9.0, "high"), (0.7, "medium"), (-9.0, "low")])
async def test_one_made_at_home_decides_how_sure_rules_are(intercept: float, level: str) -> None:
    keep_calibration(certain(intercept))
    reading = (await OfflineDecider().decide(ANSWER, INPUTS)).output
    assert isinstance(reading, ExtractReading)
    assert reading.short == "Lynda La Plante"
    assert reading.extract.level == level


@pytest.mark.parametrize("text", ["", "{", "[]", '{"intercept": 1}', '{"intercept": NaN}', "x" * 70_000])
def test_a_damaged_one_is_refused_with_what_to_do(text: str) -> None:
    calibration_file().write_text(text)
    with pytest.raises(SettingsError, match="backtrail calibrate"):
        calibration_in_use()


def test_one_of_other_signals_is_refused() -> None:
    other = packaged().model_dump()
    other["signals"].pop("share")
    calibration_file().write_text(json.dumps(other))
    with pytest.raises(SettingsError, match="other signals"):
        calibration_in_use()


def test_nothing_read_is_never_right_and_probability_grows_with_a_good_signal() -> None:
    assert packaged().probability({}) == 0.0
    some = dict.fromkeys(SIGNALS, 0.2)
    assert packaged().probability({**some, "share": 0.9}) > packaged().probability({**some, "share": 0.1})
