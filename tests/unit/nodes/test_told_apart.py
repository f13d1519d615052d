"""Documents of the same title are told apart where they are cited together."""

from __future__ import annotations

from typing import Any

from fixtures.read_answers import QUOTE

from backtrail.nodes.reading.told_apart import told_apart


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
