"""What a run tells while it works, hop by hop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.scripted_fif import ANSWER, QUESTION, ROUTES, SETTINGS, scripted_toolbox
from pydantic import TypeAdapter

from backtrail.graphs.fif import build
from backtrail.graphs.methods import METHODS
from backtrail.nodes.streaming.progress_events import CHARACTERS, RECORDS, progress
from backtrail.state.chat.progress import Progress

VALUES = TypeAdapter(Progress)


async def told(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))
    graph = build(scripted_toolbox()[0]).compile(name="fif")
    return [one async for one in graph.astream({"question": QUESTION}, context=SETTINGS, stream_mode="custom")]


async def test_every_hop_is_told_with_what_came_of_it(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = [VALUES.validate_python(one, strict=True) for one in await told(tiny_home, monkeypatch)]
    hops = [one for one in values if one["event"] == "found" or (one["event"] == "plan" and one["step"] >= 0)]
    done = [(kind, sought, outcome) for kind, sought, *_, outcome in ROUTES if kind != "stop"]
    assert [(one["sought"], one["outcome"]) for one in hops] == [(sought, outcome) for _, sought, outcome in done]
    sought = [one["sought"] for one in values if one["event"] == "seek"]
    carried_out = [text for kind, text, outcome in done if kind == "traverse" and outcome != "refused"]
    assert sought == carried_out, "what is sought is told once, before it is found"
    found = next(one for one in hops if one["outcome"] == "success")
    assert found["found"][0]["title"]
    assert found["found_count"] >= len(found["found"])
    assert (values[-1]["event"], values[-1]["outcome"]) == ("answer", "answered")
    assert ANSWER in values[-1]["judged"]
    calls = [one["cost"]["calls"] for one in values]
    assert calls == sorted(calls)


def test_every_record_that_a_method_shows_is_told() -> None:
    shown = {key for method in METHODS.values() for key in method.records}
    assert shown <= set(RECORDS)


def test_long_texts_are_cut_and_what_is_empty_tells_nothing() -> None:
    subquery = {"text": "word " * 1000, "status": "open", "answer": ""}
    [one] = progress("plan", {}, {"subqueries": [subquery]})
    assert len(one["sought"]) <= CHARACTERS
    assert list(progress("plan", {"subqueries": [subquery]}, {"subqueries": [subquery]})) == []
    assert list(progress("stop", {}, {"hop": None, "stop_reason": "stop", "vote": None, "subqueries": []})) == []
