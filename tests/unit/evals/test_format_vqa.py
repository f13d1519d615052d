"""Dyn-VQA, LiveVQA and CogBench: questions with pictures that are named by path or by URL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.releases import Bundle, write_json, write_lines, write_png

from backtrail.evals.errors import FormatError
from backtrail.evals.pictures import with_kept_picture
from backtrail.ingest.pipeline import ingest

HOST = "https://pictures.example.org"


def dynamic(id_: str | int, url: str, **more: Any) -> dict[str, Any]:
    return {
        "image_url": url, "question": "How many people have landed on this planet?", "question_id": id_,
        "answer": ["目前还没有人类去过火星。", 0, "零", 0, "zero"],
        "gloden_query": "How many people have landed on Mars?", **more,
    }  # fmt: skip


def dynvqa(folder: Path, *lines: dict[str, Any]) -> Path:
    write_lines(folder / "omni" / "dataset" / "DynVQA_en.jsonl", lines)
    chinese = dynamic("zh1", "", question="有多少人登陆过该星球？", gloden_query="有多少人登陆过火星？")
    write_lines(folder / "omni" / "dataset" / "DynVQA_zh.jsonl", [chinese])
    return folder / "omni"


def test_answers_are_texts_each_once_and_the_human_query_is_kept(tmp_path: Path) -> None:
    bundle = Bundle("dynvqa", dynvqa(tmp_path, dynamic("en1", "")), "test")
    english, chinese = bundle.questions["en1"], bundle.questions["zh1"]
    assert english.answers == ("目前还没有人类去过火星。", "0", "零", "zero")
    assert english.tags == {
        "language": "en", "picture": "none", "queries": ["How many people have landed on Mars?"],
    }  # fmt: skip
    assert chinese.question == "有多少人登陆过该星球？"
    assert chinese.tags["language"] == "zh"
    assert bundle.counts["components"] == 0


def test_a_language_can_be_asked_alone(tmp_path: Path) -> None:
    folder = dynvqa(tmp_path, dynamic(7, "", type="历史"))
    questions = Bundle("dynvqa", folder, "en").questions
    assert list(questions) == ["en7"], "earlier versions number each language from 1"
    assert questions["en7"].tags["domain"] == "历史"


@pytest.mark.parametrize(("split", "said"), [("en", "Keir Starmer"), ("en.202406", "Boris Johnson")])
def test_of_several_versions_the_newest_is_taken_or_the_one_that_is_named(
    split: str, said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "omni" / "dataset" / "DynVQA_en"
    for version, answer in (("202412", "Liz Truss"), ("202502", "Keir Starmer"), ("202406", "Boris Johnson")):
        write_lines(folder / f"DynVQA_en.{version}.jsonl", [dynamic("en1", "", answer=[answer])])
    assert Bundle("dynvqa", tmp_path / "omni", split).questions["en1"].answers == (said,)


def test_a_version_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    write_lines(tmp_path / "omni" / "DynVQA_en.202406.jsonl", [dynamic("en1", "")])
    with pytest.raises(FormatError, match=r"no version '1' of DynVQA_en; there are 202406"):
        Bundle("dynvqa", tmp_path / "omni", "en.1")


def test_another_language_is_refused(tmp_path: Path) -> None:
    folder = dynvqa(tmp_path, dynamic(7, ""))
    with pytest.raises(FormatError, match="has no split 'fr'; there are en, zh, and test for both"):
        Bundle("dynvqa", folder, "fr")


def test_pictures_at_hand_are_found_by_path_and_by_the_end_of_their_address(tmp_path: Path) -> None:
    folder = dynvqa(
        tmp_path,
        dynamic("en1", f"{HOST}/a/one.png?size=2"),
        dynamic("en2", f"{HOST}/a/two.png"),
        dynamic("en3", "images/three.png"),
        dynamic("en4", f"{HOST}/b/same.png"),
        dynamic("en5", f"{HOST}/c/same.png"),
        dynamic("en6", f"{HOST}/gone.png"),
        dynamic("en7", "../../outside.png"),
        dynamic("en8", f"{HOST}/broken.png"),
    )
    for name in ("one.png", "a/two.png", "three.png", "same.png"):
        write_png(folder / "images" / name)
    write_png(tmp_path / "outside.png")
    (folder / "images" / "broken.png").write_bytes(b"no picture")
    bundle = Bundle("dynvqa", folder, "en")
    held = {id_: question.tags["picture"] for id_, question in bundle.questions.items()}
    assert held == {
        "en1": "kept", "en2": "kept", "en3": "kept", "en4": "missing", "en5": "missing", "en6": "missing",
        "en7": "missing", "en8": "missing",
    }  # fmt: skip
    assert bundle.counts["pictures missing"] == 5
    assert {line["question"]: line["picture"] for line in bundle.missing}["en6"] == f"{HOST}/gone.png"
    why = {line["question"]: line["why"] for line in bundle.missing}
    assert "--download" in why["en4"]
    assert "no such file" in why["en7"]
    assert "broken.png" in why["en8"]
    for question in bundle.questions.values():
        with_kept_picture(question, bundle.folder / "questions.jsonl")  # what is kept, a run can read


def test_a_line_without_its_question_is_named(tmp_path: Path) -> None:
    folder = dynvqa(tmp_path, dynamic("en1", ""), {"image_url": "", "question_id": "en2", "answer": ["x"]})
    with pytest.raises(FormatError, match=r"DynVQA_en\.jsonl:2: lacks the field 'question'"):
        Bundle("dynvqa", folder, "en")


# --- LiveVQA -----------------------------------------------------------------------------------------


def news(id_: str, picture: str = "bbc_1.png", **more: Any) -> dict[str, Any]:
    asked = {
        "question": "Who is performing on stage?", "question_type": "person",
        "options": ["A. Dave Smith", "B. John. Williams"], "Ground_Truth": "A",
        "Ground_Truth_List": ["Dave Smith", "Mr Smith"], "img_path": picture, "img_url": f"{HOST}/1fd2.png",
    }  # fmt: skip
    later = {**asked, "question": "Whom did he work with in 2021?", "Ground_Truth_List": ["Bristol"]}
    return {
        "id": id_, "img_path": picture, "level1_qa": asked, "level2_qa": later, "source": "BBC Health",
        "time": "2025-04-29", **more,
    }  # fmt: skip


def livevqa(folder: Path, part: str, images: str, entries: Any) -> Path:
    write_json(folder / "live" / part / "benchmark.json", entries)
    write_png(folder / "live" / part / images / "bbc_1.png")
    return folder / "live"


def test_each_level_is_a_question_about_the_same_picture(tmp_path: Path) -> None:
    bundle = Bundle("livevqa", livevqa(tmp_path, "News", "News_imgs", [news("0_1")]), "news")
    first, second = bundle.questions["news/0_1/1"], bundle.questions["news/0_1/2"]
    assert first.answers == ("Dave Smith", "Mr Smith")
    assert (first.hops, second.hops) == (1, 2)
    assert first.image == second.image
    assert bundle.counts["pictures"] == 1
    assert first.tags == {
        "part": "news", "level": 1, "type": "person", "source": "BBC Health", "time": "2025-04-29", "picture": "kept",
        "offered": ["Dave Smith", "John. Williams"],
    }  # fmt: skip


def test_entries_that_share_an_id_stay_apart_and_a_level_may_be_absent(tmp_path: Path) -> None:
    entries = [news("2505.1"), news("2505.1", "x2.png", level2_qa=None)]
    bundle = Bundle("livevqa", livevqa(tmp_path, "Paper", "Paper_images", entries), "paper")
    assert list(bundle.questions) == ["paper/2505.1/1", "paper/2505.1/2", "paper/2505.1~2/1"]
    assert bundle.missing[0]["question"] == "paper/2505.1~2/1"


@pytest.mark.parametrize(
    ("entries", "split", "told"),
    [
        ([], "radio", "has no split 'radio'; there are news, video, paper"),
        ([], "video", r"has none of the files Video/benchmark\.json"),
        ({}, "news", "is not a list of entries"),
        ([{"level1_qa": {"question": "?"}}], "news", "lacks the field 'id'"),
        ([{"id": "1", "level1_qa": {"question": "?"}}], "news", "lacks the field 'Ground_Truth_List'"),
    ],
)
def test_a_wrong_release_is_named(tmp_path: Path, entries: Any, split: str, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        Bundle("livevqa", livevqa(tmp_path, "News", "News_imgs", entries), split)


# --- CogBench ----------------------------------------------------------------------------------------


def record(**more: Any) -> dict[str, Any]:
    return {
        "id": "cb-17", "question": "Which sold more, this game or the one before?", "image": "images/17.png",
        "domain": "games", "steps": 3, "open_ended": False, "answer": "Astro Bot.",
        "rounds": [
            {"queries": ["Which game is this?"], "action": "image search", "documents": ["d1"]},
            {"queries": ["How often was Astro Bot sold?", "And before?"], "action": "no search", "documents": []},
        ],
        "documents": [
            {"id": "d1", "title": "Astro", "url": f"{HOST}/astro", "image": "images/d1.png", "caption": "A robot"},
            {"id": "d2", "title": "Sales", "text": "It sold 2 million."},
        ],
        **more,
    }  # fmt: skip


def cogbench(folder: Path, *records: dict[str, Any]) -> Path:
    write_lines(folder / "cog" / "CogBench_test.jsonl", records)
    for name in ("17.png", "d1.png"):
        write_png(folder / "cog" / "images" / name)
    return folder / "cog"


def test_a_record_becomes_a_question_and_its_documents_the_corpus(tmp_path: Path) -> None:
    bundle = Bundle("cogbench", cogbench(tmp_path, record()), "test")
    question = bundle.questions["cb-17"]
    assert question.answers == ("Astro Bot.",)
    assert question.gold == (), "the paper defines no gold for the way to an answer"
    assert question.hops == 3
    assert question.tags == {
        "domain": "games", "steps": ">2", "form": "closed", "picture": "kept",
        "actions": ["image search", "no search"], "queries": ["How often was Astro Bot sold?", "And before?"],
    }  # fmt: skip
    components = bundle.lines("components")
    assert components["cb-17/d2#text"]["text"] == "It sold 2 million."
    assert components[f"{HOST}/astro#image"]["image"]["caption"] == "A robot"
    assert not ingest([bundle.folder], "cog", embedder="offline", opened=HashedEmbedder()).failed


def test_a_document_that_two_records_found_is_in_the_corpus_once(tmp_path: Path) -> None:
    bundle = Bundle("cogbench", cogbench(tmp_path, record(), record(id="cb-18")), "test")
    assert bundle.counts["documents"] == 3, "the page with an address once, those without one per record"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"rounds": [{"action": "web search"}]}, "has the action 'web search'; actions are text search"),
        ({"rounds": [{"action": "no search", "documents": ["d9"]}]}, "names the document 'd9'"),
        ({"steps": "many"}, "has 'many' steps"),
        ({"documents": [{"id": "d1"}]}, "has a document 'd1' with neither text nor image"),
    ],
)
def test_a_record_that_does_not_fit_is_named(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    with pytest.raises(FormatError, match=rf"CogBench_test\.jsonl:1: {told}"):
        Bundle("cogbench", cogbench(tmp_path, record(**{"rounds": [], **more})), "test")
