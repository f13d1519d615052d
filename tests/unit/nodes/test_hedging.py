"""What rules are not sure of is not said: quotes with their places stand in its place."""

from __future__ import annotations

import pytest

from backtrail.nodes.reading.grounds import in_quotes
from backtrail.nodes.reading.hedging import NEAREST, hedged, spoken
from backtrail.state.answer import Answer, Citation
from backtrail.state.offline.extract import LEVELS, Level
from backtrail.state.offline.settings import OfflineSettings
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName

QUOTE: Citation = {
    "component": "titan#1", "document": "titan", "title": "Titan", "section": "Orbit", "modality": "table",
    "locator": {"row": 2}, "quote": "Period: 16 days",
}  # fmt: skip


def read(level: Level, *, abstained: bool = False) -> Answer:
    return {
        "short": "" if abstained else "16 days", "text": "I found no answer." if abstained else "16 days",
        "citations": [QUOTE], "confidence": 0.7, "abstained": abstained, "quotes": [QUOTE],
        "calibrated": {"short": "16 days", "level": level, "probability": 0.7, "signals": {"share": 0.5}},
    }  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("least", LEVELS)
def test_a_short_answer_is_given_from_the_level_that_the_host_sets(level: Level, least: Level) -> None:
    reply = hedged(read(level), Settings(offline=OfflineSettings(short_from=least)))
    if LEVELS.index(level) >= LEVELS.index(least):
        assert reply == read(level)
    else:
        assert (reply["abstained"], reply.get("short"), reply["citations"]) == (True, "", [])
        assert "16 days" not in reply["text"].partition("\n")[0]
        assert "Titan › Orbit (table, row 3): “Period: 16 days”" in reply["text"]
        assert NEAREST in reply["text"]


@pytest.mark.parametrize(("variant", "said"), [("ours", False), ("published", True)])
def test_only_the_published_variant_says_what_it_is_unsure_of(variant: VariantName, said: bool) -> None:
    assert hedged(read("low"), Settings(variant=variant))["abstained"] is not said


def test_an_abstention_keeps_its_reason_and_shows_quotes() -> None:
    reply = hedged(read("low", abstained=True), Settings(offline=OfflineSettings(short_from="low")))
    assert reply["text"].startswith("I found no answer. ")
    assert "Titan › Orbit" in reply["text"]


def test_what_a_model_said_stays_as_it_is() -> None:
    said: Answer = {"text": "42", "citations": [], "confidence": 0.1, "abstained": False}
    assert hedged(said, Settings()) is said
    assert spoken(said) == "42"


def test_in_place_of_a_failed_model_the_message_is_the_text_which_says_so() -> None:
    told = in_quotes(read("high"), "The model failed.")
    assert hedged(told, Settings()) is told
    assert spoken(told) == told["text"]
    assert spoken(told).startswith("The model failed. ")
    assert "Confidence" not in spoken(told), "rules that stand in for a model are not as sure as they are alone"


def test_a_message_says_how_sure_it_is_and_where_it_was_read() -> None:
    told = spoken(read("high"))
    assert told.startswith("16 days\n")
    assert "Confidence: high" in told
    assert "Titan › Orbit (table, row 3)" in told
