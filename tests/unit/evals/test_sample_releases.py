"""The made-up releases: every layout is converted as its official release would be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from backtrail.evals.formats.table import FORMATS, convert
from backtrail.evals.questions import Question, read_questions
from backtrail.evals.reproduction.sample import LAYOUTS, SPLITS
from backtrail.evals.task import shipped_file
from backtrail.evals.tasks.table import find_task


def converted(name: str, out: Path) -> dict[str, Question]:
    release = shipped_file("examples", "releases", LAYOUTS.get(name, name))()
    convert(name, release, out, SPLITS.get(name, "dev"))
    return {question.id: question for question in read_questions(out / "questions.jsonl")}


@pytest.mark.parametrize("name", FORMATS)
def test_every_layout_has_a_sample_whose_pictures_are_there_and_whose_gold_is_in_its_corpus(
    name: str, tmp_path: Path
) -> None:
    questions = converted(name, tmp_path / "out")
    assert len(questions) >= 2
    assert all(question.answers or question.tags.get("pages") == "unanswerable" for question in questions.values())
    assert not (tmp_path / "out" / "missing.jsonl").exists()
    files = tmp_path / "out" / "documents"
    if files.is_dir():
        assert all((files / one.document).is_file() for q in questions.values() for one in q.evidence)
    else:
        components = (tmp_path / "out" / "components.jsonl").read_text()
        assert all(f'"{one}"' in components for q in questions.values() for group in q.gold for one in group)
    for tag in find_task(name).by:
        assert any(question.tag(tag) for question in questions.values()), f"no question tells {tag}"


def test_infoseek_keeps_what_its_score_needs(tmp_path: Path) -> None:
    named, dated, counted = converted("infoseek", tmp_path / "out").values()
    assert named.tags["wordings"] == ["Marta Colm", "Colm"]
    assert (named.tags["seen"], dated.tags["seen"], dated.tags["type"]) == ("question", "entity", "Time")
    assert (counted.tags["range"], counted.answers) == ([54.0, 66.0], ("60",))


def test_paragraphs_that_come_again_are_one_and_supporting_ones_are_gold(tmp_path: Path) -> None:
    hotpot = converted("hotpotqa", tmp_path / "out")
    components = (tmp_path / "out" / "components.jsonl").read_text().splitlines()
    assert len(components) == 4, "six paragraphs, two of them twice"
    assert hotpot["h1"].hops == 2
    musique = converted("musique", tmp_path / "musique")
    assert [q.tags["type"] for q in musique.values()] == ["2 hops", "3 hops"]


def test_hybridqa_links_cells_to_passages(tmp_path: Path) -> None:
    questions = converted("hybridqa", tmp_path / "out")
    assert questions["hy1"].gold == (("table:Ferries_0",), ("text:/wiki/MV_Halvor",))
    assert '"target": "/wiki/MV_Halvor"' in (tmp_path / "out" / "components.jsonl").read_text()


def test_pictures_of_training_are_in_the_corpora_without_what_would_give_answers_away(tmp_path: Path) -> None:
    converted("scienceqa", tmp_path / "science")
    lines = [json.loads(line) for line in (tmp_path / "science" / "components.jsonl").read_text().splitlines()]
    (picture,) = [line for line in lines if line["modality"] == "image"]
    assert picture["image"]["caption"] == "a white lighthouse with a beam of light", "as captions.json says"
    assert picture["document"] in {line["document"] for line in lines if line["modality"] == "text"}
    assert (tmp_path / "science" / picture["image"]["file"]).is_file()
    converted("crisismmd2", tmp_path / "crisis")
    posts = [json.loads(line) for line in (tmp_path / "crisis" / "components.jsonl").read_text().splitlines()]
    assert [line["modality"] for line in posts] == ["text", "image"] * 3
    assert "infrastructure" not in (tmp_path / "crisis" / "components.jsonl").read_text(), "labels stay out"


def test_a_page_is_one_however_its_address_is_spelt_and_a_moved_one_is_found_by_its_title(tmp_path: Path) -> None:
    release = tmp_path / "release"
    shutil.copytree(shipped_file("examples", "releases", "multimodalqa")(), release)
    table = json.loads((release / "MMQA_tables.jsonl").read_text().splitlines()[0])
    cell = table["table"]["table_rows"][0][0]["links"][0]
    spellings = ("http://example.org/wiki/MV%20Halvor#History", "https://example.org/wiki/Halvor_(ship)")
    for number, url in enumerate(spellings):
        cell["url"] = url
        (release / "MMQA_tables.jsonl").write_text(json.dumps(table) + "\n")
        convert("multimodalqa", release, tmp_path / str(number), "dev")
        held = (tmp_path / str(number) / "components.jsonl").read_text()
        assert '"target": "https://example.org/wiki/MV_Halvor"' in held, url


@pytest.mark.parametrize("name", ["multimodalqa", "mmcoqa"])
def test_a_corpus_can_be_the_pages_that_a_split_rests_on(name: str, tmp_path: Path) -> None:
    release = tmp_path / "release"
    shutil.copytree(shipped_file("examples", "releases", name)(), release)
    file = next(file for file in release.iterdir() if file.name.startswith(("MMQA_dev", "MMCoQA_dev")))
    first = file.read_text().splitlines()[0]
    file.write_text(f"{first}\n")
    pages = []
    for split in ("dev", "dev.pages"):
        convert(name, release, tmp_path / split, split)
        lines = (tmp_path / split / "components.jsonl").read_text().splitlines()
        held = [json.loads(line) for line in lines]
        pages.append(
            {one["document"]: [two["id"] for two in held if two["document"] == one["document"]] for one in held}
        )
    every, own = pages
    (question,) = read_questions(tmp_path / "dev.pages" / "questions.jsonl")
    gold = {component for group in question.gold for component in group}
    assert own == {page: ids for page, ids in every.items() if gold & set(ids)}
    assert len(own) < len(every)
