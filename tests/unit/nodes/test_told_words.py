"""Numbers with their nouns, endings of runs, and collections, in words."""

from __future__ import annotations

import pytest

from backtrail.language.counted import counted
from backtrail.nodes.telling.small_talk_words import COLLECTIONS, told_collection
from backtrail.state.chat.ending import ending
from backtrail.state.settings import Budget


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [(1, "document", "1 document"), (0, "day", "0 days"), (2400, "subquery", "2,400 subqueries"), (2, "row", "2 rows")],
)
def test_one_is_no_plural(number: int, noun: str, told: str) -> None:
    assert counted(number, noun) == told


def test_every_ceiling_is_told_in_words() -> None:
    told = {ending(f"budget:{name}") for name in Budget.model_fields}
    assert "the budget of model calls was used up" in told
    assert not any("_" in one for one in told)


def test_why_a_run_ended_is_a_sentence_for_people() -> None:
    assert ending("stop") == "it chose to stop searching"
    assert ending("failed:answer") == "the model failed at answer"
    assert ending("limit:turns") == "its limit of turns was reached"
    assert ending("") == "done"
    assert ending("something of another version") == "something of another version"


@pytest.mark.parametrize("language", COLLECTIONS)
def test_a_collection_of_one_document_is_told_so(language: str) -> None:
    words = COLLECTIONS[language]
    sentence, among = told_collection(language, "mine", 1, {"text": 1, "table": 2})
    assert f"1 {words.document[0]} " in sentence
    assert f"1 {words.text[0]}, 2 {words.table[1]}." in sentence
    assert among == words.among
