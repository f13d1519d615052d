"""The demo corpus keeps its promises: an edit by hand that moves an answer makes a good question an impossible one."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlparse

import pytest
from lxml import html

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Component

EXAMPLES = Path(__file__).parents[3] / "examples"
CORPUS = EXAMPLES / "corpus"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
PAGES: dict[str, Any] = {path.name: html.fromstring(path.read_bytes()) for path in sorted(CORPUS.glob("*.html"))}

# Readers of real sites meet dead links, so the corpus has two on purpose.
DELIBERATELY_DEAD = {"mars.html -> phobos.html", "venera.html -> pictures-archive.html"}
MOST_PICTURE_BYTES = 2_000_000


@cache
def components() -> dict[str, Component]:
    """All components as they are ingested, by id."""
    documents = [found for source in discover([CORPUS]) for found in parse(source)]
    return {part.id: part for one in documents if isinstance(one, ParsedDocument) for part in one.components}


def links(page: str) -> list[str]:
    return [href for href in PAGES[page].xpath("//main//a/@href") if not urlparse(href).scheme]


@pytest.mark.parametrize("page", PAGES)
def test_each_component_carries_its_own_id(page: str) -> None:
    ids = Counter(PAGES[page].xpath("//@id"))
    assert [name for name, count in ids.items() if count > 1] == []
    bare = PAGES[page].xpath("//main//*[self::p or self::ul or self::ol or self::table or self::figure][not(@id)]")
    assert [(element.tag, element.sourceline) for element in bare] == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_an_answer_stands_in_the_gold_and_backtracking_has_no_short_cut(question: dict[str, Any]) -> None:
    gold, tags = question["gold"], question["tags"]
    if tags.get("unanswerable"):
        assert not gold
        assert not question["answers"]
        return
    assert question["answers"]
    assert all(gold)
    assert question["hops"] == len(gold)
    texts = [components()[part].model_dump_json().lower() for group in gold for part in group]
    assert [one for one in question["answers"] if not any(one.lower() in text for text in texts)] == []
    if tags.get("backtrack"):
        documents = [urldefrag(group[0])[0] for group in gold]
        starts = {tags["decoy"], *documents} - {documents[-1]}
        assert [one for one in starts if documents[-1] in {urldefrag(href)[0] for href in links(one)}] == []


def test_links_lead_somewhere_but_for_those_that_are_dead_on_purpose() -> None:
    dead = set()
    for page in PAGES:
        for href in links(page):
            path, fragment = urldefrag(href)
            goal = PAGES.get(path or page)
            if goal is None or (fragment and not goal.xpath("//*[@id=$id]", id=fragment)):
                dead.add(f"{page} -> {href}")
    assert dead == DELIBERATELY_DEAD


def test_pictures_are_shown_have_a_text_and_stay_small() -> None:
    images = [image for page in PAGES.values() for image in page.iter("img")]
    drawn = set((CORPUS / "pictures").glob("*.png"))
    assert {CORPUS / image.get("src") for image in images} == drawn
    assert all(image.get("alt") for image in images)
    assert sum(path.stat().st_size for path in drawn) <= MOST_PICTURE_BYTES


def test_ids_of_questions_are_their_own_and_its_page_says_how_much_there_is() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    kinds = Counter(part.modality for part in components().values())
    said = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert f"{len(PAGES)} linked HTML pages" in said
    assert f"{kinds['table']} tables and {kinds['image']} pictures" in said
