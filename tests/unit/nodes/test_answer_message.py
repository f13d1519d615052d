"""A message says the answer, what it rests on and how sure it is, in words and as values."""

from typing import Any

import pytest
from fixtures.read_answers import QUOTE, Shelves, read
from langchain_core.messages import AIMessage, HumanMessage
from markdown_it import MarkdownIt

from backtrail.nodes.reading.abstain_below_confidence import NEAREST, abstain_below_confidence
from backtrail.nodes.reading.answer_grounds import in_quotes
from backtrail.nodes.streaming.answer_message import answer_message
from backtrail.nodes.streaming.numbered_sources import Where
from backtrail.state.answer import Answer
from backtrail.state.chat.answer_payload import PAYLOAD_KEY, answer_text, payload_of
from backtrail.state.settings import Budget, Settings
from backtrail.state.subquery import Subquery

HERE = Where("thread-1", "http://127.0.0.1:8123")


def message(reply: Answer, **wanted: Any) -> AIMessage:
    toolbox: Any = wanted.pop("toolbox", Shelves())
    settings = wanted.pop("settings", Settings())
    given = {"question": "What?", "subqueries": [], "stop_reason": "stop", "where": HERE, **wanted}
    return answer_message(toolbox, settings, abstain_below_confidence(reply, settings), **given)


def by_model(confidence: float = 0.9, **more: Any) -> Answer:
    told = {"short": "42", "text": "It is 42.", "citations": [QUOTE], "confidence": confidence, "abstained": False}
    return {**told, **more}


def subquery(text: str, answer: str = "") -> Subquery:
    return {
        "id": text, "text": text, "depends_on": [], "status": "answered" if answer else "open", "answer": answer,
        "answered_by": None, "planned_at": 0,
    }  # fmt: skip


def test_an_answer_with_its_sources() -> None:
    reply = message(by_model())
    assert reply.content == (
        "It is 42.\n\n"
        "*Confidence: high (the model's own estimate).*\n\n"
        "**Sources**\n\n"
        "1. [Titan › Orbit](<https://a.example/titan>) (table, row 3): “Period: 16 days”\n\n"
        "[How this was found](<http://127.0.0.1:8123/trace/thread-1>)"
    )
    values = reply.additional_kwargs[PAYLOAD_KEY]
    assert values["short"] == "42"
    assert values["trace"] == "http://127.0.0.1:8123/trace/thread-1"
    assert values["sources"] == [
        {**QUOTE, "number": 1, "place": "table, row 3", "address": "https://a.example/titan", "picture": ""}
    ]


def test_citations_are_annotations_of_a_content_block_for_who_asks_for_blocks() -> None:
    blocks = Settings(output_version="v1")
    reply = message(by_model(), settings=blocks)
    assert reply.text == message(by_model()).content
    [block] = reply.content_blocks
    [cited] = block["annotations"]
    assert (cited["title"], cited["url"]) == ("Titan › Orbit", "https://a.example/titan")
    assert (cited["cited_text"], cited["extras"]["number"]) == ("Period: 16 days", 1)
    [bare] = message(by_model(), settings=blocks, toolbox=Shelves(url="")).content_blocks[0]["annotations"]
    assert "url" not in bare
    [withheld] = message(read("low"), settings=blocks).content_blocks
    assert withheld["annotations"] == []


def test_outside_a_server_there_are_no_links_to_one() -> None:
    picture = {**QUOTE, "locator": {"blob": "ab" * 32}}
    reply = message(by_model(citations=[picture]), where=Where("thread-1"))
    assert "trace" not in reply.content
    assert "![" not in reply.content
    assert (
        reply.additional_kwargs[PAYLOAD_KEY]["trace"]
        == reply.additional_kwargs[PAYLOAD_KEY]["sources"][0]["picture"]
        == ""
    )


def test_cited_pictures_are_shown() -> None:
    reply = message(by_model(citations=[{**QUOTE, "modality": "image", "locator": {"blob": "ab" * 32}}]))
    shown = f"http://127.0.0.1:8123/blobs/{'ab' * 32}?corpus=examples"
    assert f"   ![Titan › Orbit](<{shown}>)" in reply.content
    assert reply.additional_kwargs[PAYLOAD_KEY]["sources"][0]["picture"] == shown


@pytest.mark.parametrize(("confidence", "level"), [(0.75, "high"), (0.5, "medium"), (0.1, "low")])
def test_how_sure_a_model_is_in_words(confidence: float, level: str) -> None:
    assert f"Confidence: {level} (the model's own estimate)" in message(by_model(confidence)).content
    assert message(read("high")).content.startswith("16 days\n\n*Confidence: high (read without a model).*")
    assert message(read("high")).additional_kwargs[PAYLOAD_KEY]["confidence"] == {"level": "high", "by": "calibration"}
    assert "Confidence" not in message(in_quotes(read("high"), "The model failed.")).content


def test_what_rules_are_not_sure_of_is_told_as_quotes_once() -> None:
    reply = message(read("low"))
    assert f"{NEAREST}\n\n1. [Titan › Orbit]" in reply.content
    assert reply.content.count("Period: 16 days") == 1
    assert "Confidence" not in reply.content
    assert reply.additional_kwargs[PAYLOAD_KEY]["abstained"] is True


def test_a_budget_that_ended_the_run_is_said_with_what_would_go_on() -> None:
    parts = [subquery("Who?", "Ada"), subquery("When [was](https://evil.example) it?")]
    settings = Settings(budget=Budget(steps=3))
    reply = message(by_model(), settings=settings, subqueries=parts, stop_reason="budget:steps")
    assert "**Not settled by the search:**\n\n- When \\[was\\](`https://evil.example`) it?" in reply.content
    assert "The budget ended this run: 3 steps." in reply.content
    assert "With a larger `budget.steps`, what is not settled yet would be searched" in reply.content
    values = reply.additional_kwargs[PAYLOAD_KEY]
    assert values["ceiling"] == {"name": "steps", "allowed": 3}
    assert values["open_subqueries"] == ["When [was](https://evil.example) it?"]


def test_documents_cannot_write_into_the_message() -> None:
    evil = "![x](https://evil.example/p.png) <script>alert(1)</script> [go](https://evil.example)"
    poisoned: Any = {**QUOTE, "title": f"]({evil}", "section": evil, "quote": f"{evil}\n\n# {evil}"}
    reply = message(by_model(text=f"42\n{evil}", citations=[poisoned], not_found=[evil]))
    parts = [part for token in MarkdownIt().parse(str(reply.content)) for part in token.children or []]
    assert {part.attrs["href"] for part in parts if part.type == "link_open"} == {"https://a.example/titan", HERE.trace}
    assert not {part.type for part in parts} & {"image", "html_inline"}
    assert not {token.type for token in MarkdownIt().parse(str(reply.content))} & {"heading_open", "html_block"}
    assert "javascript" not in message(by_model(), toolbox=Shelves(url="javascript:alert(1)")).content


def test_a_follow_up_is_read_with_what_was_said_and_not_with_its_sources() -> None:
    assert answer_text(message(by_model())) == "It is 42."
    assert answer_text(AIMessage("As told by another.")) == "As told by another."
    assert payload_of(HumanMessage("x", additional_kwargs={PAYLOAD_KEY: {"text": "y", "short": "z"}})) is None
    for nonsense in (None, "text", [], {}, {"text": 1, "short": ""}):
        assert payload_of(AIMessage("x", additional_kwargs={PAYLOAD_KEY: nonsense})) is None
