"""What rules are not sure of is not said: quotes with their places stand in its place."""

from __future__ import annotations

import pytest
from fixtures.read_answers import read

from backtrail.nodes.reading.grounds import in_quotes
from backtrail.nodes.reading.hedging import NEAREST, hedged
from backtrail.state.answer import Answer
from backtrail.state.offline.extract import LEVELS, Level
from backtrail.state.offline.settings import OfflineSettings
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName


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


def test_what_rules_quote_in_place_of_a_failed_model_stays_as_it_is() -> None:
    told = in_quotes(read("high"), "The model failed.")
    assert hedged(told, Settings()) is told
