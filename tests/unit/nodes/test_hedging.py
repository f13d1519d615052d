"""What is told of an answer: quotes where rules are unsure, titles told apart, numbers with their nouns."""

from __future__ import annotations

from typing import Any

import pytest
from fixtures.read_answers import QUOTE, read

from backtrail.nodes.reading.abstain_below_confidence import NEAREST, abstain_below_confidence
from backtrail.nodes.reading.answer_grounds import in_quotes
from backtrail.nodes.reading.disambiguate_titles import disambiguate_titles
from backtrail.nodes.streaming.small_talk_replies import COLLECTIONS, describe_collection
from backtrail.state.answer import Answer
from backtrail.state.chat.stop_messages import ending
from backtrail.state.offline.extract import LEVELS, Level
from backtrail.state.offline.settings import OfflineSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.variant import VariantName


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("least", LEVELS)
def test_a_short_answer_is_given_from_the_level_that_the_host_sets(level: Level, least: Level) -> None:
    reply = abstain_below_confidence(read(level), Settings(offline=OfflineSettings(min_confidence=least)))
    if LEVELS.index(level) >= LEVELS.index(least):
        assert reply == read(level)
    else:
        assert (reply["abstained"], reply.get("short"), reply["citations"]) == (True, "", [])
        assert "16 days" not in reply["text"].partition("\n")[0]
        assert "Titan › Orbit (table, row 3): “Period: 16 days”" in reply["text"]
        assert NEAREST in reply["text"]


@pytest.mark.parametrize(("variant", "said"), [("ours", False), ("published", True)])
def test_only_the_published_variant_says_what_it_is_unsure_of(variant: VariantName, said: bool) -> None:
    assert abstain_below_confidence(read("low"), Settings(variant=variant))["abstained"] is not said


def test_an_abstention_keeps_its_reason_and_shows_quotes() -> None:
    reply = abstain_below_confidence(
        read("low", abstained=True), Settings(offline=OfflineSettings(min_confidence="low"))
    )
    assert reply["text"].startswith("I found no answer. ")
    assert "Titan › Orbit" in reply["text"]


def test_what_a_model_said_stays_as_it_is() -> None:
    said: Answer = {"text": "42", "citations": [], "confidence": 0.1, "abstained": False}
    assert abstain_below_confidence(said, Settings()) is said
    told = in_quotes(read("high"), "The model failed.")
    assert abstain_below_confidence(told, Settings()) is told


def cited(document: str, title: str = "Revision History", **more: Any) -> Any:
    return {**QUOTE, "component": f"{document}#1", "document": document, "title": title, **more}


def reply(*citations: Any, **more: Any) -> Any:
    return {"short": "", "text": "", "citations": list(citations), "confidence": 1.0, "abstained": False, **more}


def test_what_no_other_path_has_stands_behind_the_title():
    answer = reply(
        cited("sea/en/history.md", duplicates=[cited("lake/en/history.md")]), cited("sea/en/oars.md", "Oars"),
        quotes=[cited("old/history.md", "REVISION history")],
    )  # fmt: skip
    told = disambiguate_titles(answer)
    first, second = told["citations"]
    assert (first["title"], second["title"]) == ("Revision History (sea)", "Oars")
    assert first["duplicates"][0]["title"] == "Revision History (lake)"
    assert told["quotes"][0]["title"] == "REVISION history (old)"


def test_paths_without_a_part_of_their_own_are_said_whole():
    titles = [one["title"] for one in disambiguate_titles(reply(cited("a/b.md"), cited("b/a.md")))["citations"]]
    assert titles == ["Revision History (a/b.md)", "Revision History (b/a.md)"]


def test_titles_of_one_document_each_stay():
    answer = reply(cited("a.md"), cited("a.md"), cited("b.md", "Oars"))
    assert disambiguate_titles(answer) is answer


def test_every_ceiling_is_told_in_words() -> None:
    told = {ending(f"budget:{name}") for name in Budget.model_fields}
    assert "the budget of model calls was used up" in told
    assert not any("_" in one for one in told)


@pytest.mark.parametrize("language", COLLECTIONS)
def test_a_collection_of_one_document_is_told_so(language: str) -> None:
    words = COLLECTIONS[language]
    sentence, among = describe_collection(language, "mine", 1, {"text": 1, "table": 2})
    assert f"1 {words.document[0]} " in sentence
    assert f"1 {words.text[0]}, 2 {words.table[1]}." in sentence
    assert among == words.among
