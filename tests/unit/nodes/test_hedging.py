"""What is told of an answer: quotes where rules are unsure, and titles that are told apart."""

from __future__ import annotations

from typing import Any

import pytest
from fixtures.read_answers import QUOTE, read

from backtrail.nodes.reading.grounds import in_quotes
from backtrail.nodes.reading.hedging import NEAREST, hedged
from backtrail.nodes.reading.told_apart import told_apart
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
    told = in_quotes(read("high"), "The model failed.")
    assert hedged(told, Settings()) is told


def cited(document: str, title: str = "Revision History", **more: Any) -> Any:
    return {**QUOTE, "component": f"{document}#1", "document": document, "title": title, **more}


def reply(*citations: Any, **more: Any) -> Any:
    return {"short": "", "text": "", "citations": list(citations), "confidence": 1.0, "abstained": False, **more}


def test_what_no_other_path_has_stands_behind_the_title():
    answer = reply(
        cited("sea/en/history.md", also=[cited("lake/en/history.md")]), cited("sea/en/oars.md", "Oars"),
        quotes=[cited("old/history.md", "REVISION history")],
    )  # fmt: skip
    told = told_apart(answer)
    first, second = told["citations"]
    assert (first["title"], second["title"]) == ("Revision History (sea)", "Oars")
    assert first["also"][0]["title"] == "Revision History (lake)"
    assert told["quotes"][0]["title"] == "REVISION history (old)"


def test_paths_without_a_part_of_their_own_are_said_whole():
    titles = [one["title"] for one in told_apart(reply(cited("a/b.md"), cited("b/a.md")))["citations"]]
    assert titles == ["Revision History (a/b.md)", "Revision History (b/a.md)"]


def test_titles_of_one_document_each_stay():
    answer = reply(cited("a.md"), cited("a.md"), cited("b.md", "Oars"))
    assert told_apart(answer) is answer
