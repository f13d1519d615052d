"""Each part of a question is searched for itself as well as within the whole, and its best find is ranked."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.nodes.fif.parts import parts_of, with_parts
from backtrail.nodes.fif.rerank import rerank
from backtrail.tools.toolbox import Toolbox


def test_parts_are_subqueries_and_sentences_that_say_something_but_not_all() -> None:
    question = "The bridge over the Wien was opened in 1909. Who drew it? Really?"
    assert parts_of(question, [question]) == ["The bridge over the Wien was opened in 1909."]
    assert parts_of("Who designed the Urania bridge?", ["Who designed the Urania bridge?"]) == []
    asked = ["Who designed the Urania bridge?", "Which line does the Reichsbrücke carry?"]
    assert parts_of("Who designed the Urania bridge, and which line does the Reichsbrücke carry?", asked) == asked


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        ([], "abcdefgh"),
        (["b"], "abcdefgh"),
        (["x"], "abcdefxg"),
        (["x", "y", "z"], "abcdefxy"),
        (["h", "x"], "abcdefhx"),
        (["g", "g"], "abcdefgh"),
    ],
)
def test_the_finds_of_parts_take_the_last_places_and_no_others(best: list[str], expected: str) -> None:
    ranked = [{"id": key, "score": 1.0 - place / 10} for place, key in enumerate("abcdefgh")]
    placed = with_parts(ranked, best, 8)  # type: ignore[arg-type]
    assert "".join(scored["id"] for scored in placed) == expected
    assert [scored["score"] for scored in placed] == sorted((scored["score"] for scored in placed), reverse=True)


async def _ranked(toolbox: Toolbox, runtime: Any, **given: Any) -> tuple[list[str], dict[str, Any]]:
    question = "Who designed the bridge of Vienna opened in 1909? And which bridge carries an underground line?"
    subqueries = [{"id": f"q{n}", "text": text} for n, text in enumerate(question.replace("And ", "").split("? "))]
    held = {key: {"component": key, "score": 0.1} for key in ("lamps#p0", "bridges#t", "urania#p0", "malone#p0")}
    state: Any = {"question": question, "subqueries": subqueries, "evidence": held, "usage": {}}
    writes = await rerank(toolbox)(state, runtime(k=5, **given))
    return [scored["id"] for scored in writes["ranking"]], writes.get("evidence", {})


async def test_what_one_part_finds_is_ranked_with_the_search_that_found_it(toolbox: Toolbox, runtime: Any) -> None:
    ranking, evidence = await _ranked(toolbox, runtime)
    assert "reich#p0" in ranking
    assert evidence["reich#p0"]["document"] == "reich"


async def test_as_published_nothing_more_is_searched(toolbox: Toolbox, runtime: Any) -> None:
    state: Any = {"question": "Who? And which bridge?", "subqueries": [], "evidence": {}, "usage": {}}
    assert (await rerank(toolbox)(state, runtime(variant="published")))["ranking"] == []
