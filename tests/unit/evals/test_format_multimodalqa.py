"""MultimodalQA and MMCoQA: the official files become a bundle that is ingested and asked."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.releases import Bundle, write_lines, write_png

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.table import FORMATS, convert
from backtrail.ingest.pipeline import ingest

WIKI = "https://en.wikipedia.org/wiki/"
TEXTS = [
    {"id": "t1", "title": "Taipei", "url": WIKI + "Taipei", "text": "Taipei is the capital of Taiwan."},
    {"id": "t2", "title": "Lodz", "url": WIKI + "Lodz", "text": "Lodz is a city in Poland."},
]
TABLE: dict[str, Any] = {
    "id": "b1", "title": "Capitals", "url": WIKI + "Capitals",
    "table": {
        "table_name": "Asia",
        "header": [{"column_name": "City"}, {"column_name": "People"}],
        "table_rows": [
            [
                {
                    "text": "Taipei",
                    "links": [{"text": "Taipei", "url": WIKI + "Taipei"}, {"text": "x", "url": WIKI + "No"}],
                },
                {"text": "2.5 million", "links": []},
                {"text": "odd cell", "links": []},
            ],
        ],
    },
}  # fmt: skip
IMAGES = [
    {"id": "i1", "title": "Taipei", "url": WIKI + "Taipei", "path": "Taipei.png"},
    {"id": "i2", "title": "Lodz", "url": WIKI + "Lodz", "path": "Lodz.png"},
    {"id": "i3", "title": "Elsewhere", "url": WIKI + "Elsewhere", "path": "../../secret.png"},
]
QUESTION = {
    "qid": "q1", "question": "Which capitals are in Asia?",
    "answers": [{"answer": "Taipei", "type": "string"}, {"answer": 7, "type": "string"}],
    "metadata": {"type": "Compose(TableQ,ImageListQ)", "modalities": ["image", "table"]},
    "supporting_context": [{"doc_id": "b1"}, {"doc_id": "t1"}, {"doc_id": "b1"}],
}  # fmt: skip


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "mmqa"
    write_lines(folder / "MMQA_texts.jsonl", TEXTS, packed=True)
    write_lines(folder / "MMQA_tables.jsonl", [TABLE])
    write_lines(folder / "MMQA_images.jsonl", IMAGES)
    simple = {"qid": "q2", "question": "Where is Lodz?", "metadata": {"type": "TextQ"}}
    write_lines(folder / "MMQA_dev.jsonl", [QUESTION, simple], packed=True)
    write_png(folder / "final_dataset_images" / "Taipei.png")
    write_png(tmp_path / "secret.png")
    return folder


def test_every_context_is_a_component_under_its_own_id(release: Path) -> None:
    bundle = Bundle("multimodalqa", release, "dev")
    assert bundle.counts == {"documents": 4, "components": 6, "questions": 2, "pictures": 1, "pictures missing": 2}
    components = bundle.lines("components")
    assert components["t1"]["text"] == "Taipei is the capital of Taiwan."
    assert components["t1"]["document"] == components["i1"]["document"] == WIKI + "Taipei"
    assert components["b1"]["table"] == {
        "caption": "Capitals – Asia", "header": ["City", "People", ""], "rows": [["Taipei", "2.5 million", "odd cell"]],
    }  # fmt: skip
    assert components["b1"]["links"] == [{"target": WIKI + "Taipei", "anchor": "Taipei", "row": 0, "column": 0}]


def test_pictures_are_copied_and_none_is_read_from_outside_the_release(release: Path) -> None:
    bundle = Bundle("multimodalqa", release, "dev")
    components = bundle.lines("components")
    copied = bundle.folder / components["i1"]["image"]["file"]
    assert copied.read_bytes() == (release / "final_dataset_images" / "Taipei.png").read_bytes()
    assert components["i2"]["image"]["file"] is None
    assert components["i3"]["image"]["file"] is None


def test_questions_carry_their_list_of_answers_and_their_gold(release: Path) -> None:
    questions = Bundle("multimodalqa", release, "dev").questions
    assert questions["q1"].answers == ("Taipei, 7",)
    assert questions["q1"].gold == (("b1",), ("t1",))
    assert questions["q1"].hops == 2
    assert questions["q1"].tags == {
        "answer_list": ["Taipei", "7"], "type": "Compose(TableQ,ImageListQ)", "modalities": "multi", "sources": 2,
    }  # fmt: skip
    assert questions["q2"].tags["modalities"] == "single"
    assert not questions["q2"].answerable, "the test split has no answers"


def test_the_bundle_can_be_ingested(release: Path) -> None:
    bundle = Bundle("multimodalqa", release, "dev")
    report = ingest([bundle.folder], "mmqa", embedder="offline", opened=HashedEmbedder())
    assert not report.failed
    assert report.links["internal"] == 1


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("MMQA_tables.jsonl", "has none of the files MMQA_tables.jsonl, tables.jsonl"),
        ("MMQA_dev.jsonl.gz", "has none of the files MMQA_dev.jsonl"),
    ],
)
def test_a_missing_file_is_named(release: Path, file: str, told: str) -> None:
    (release / file).unlink()
    with pytest.raises(FormatError, match=told):
        Bundle("multimodalqa", release, "dev")


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("{not json\n", "is not JSON"),
        ("[1]\n", "is not a JSON object"),
        ('{"id": "b2", "title": "x"}\n', "lacks the field 'table'"),
        ('{"title": "x", "url": "y", "table": {}}\n', "lacks the field 'id'"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_left_behind(release: Path, bad: str, told: str) -> None:
    with (release / "MMQA_tables.jsonl").open("a") as file:
        file.write("\n" + bad)
    with pytest.raises(FormatError, match=rf"MMQA_tables\.jsonl:3: {told}"):
        Bundle("multimodalqa", release, "dev")
    assert not list(release.parent.glob("*bundle*"))


def test_a_torn_archive_is_named(release: Path) -> None:
    file = release / "MMQA_texts.jsonl.gz"
    file.write_bytes(file.read_bytes()[:-12])
    with pytest.raises(FormatError, match=r"MMQA_texts\.jsonl\.gz cannot be read"):
        Bundle("multimodalqa", release, "dev")


def test_what_is_in_the_way_stays(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(FormatError, match="exists and is not empty"):
        convert("multimodalqa", release, out, "dev")
    assert (out / "mine.txt").read_text() == "mine"


def test_a_second_conversion_after_a_broken_one(release: Path, tmp_path: Path) -> None:
    (tmp_path / "mmqa-bundle.part").mkdir()
    (tmp_path / "mmqa-bundle.part" / "documents.jsonl").write_text("half a li")
    assert len(Bundle("multimodalqa", release, "dev").lines("documents")) == 4


def test_an_unknown_layout_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        convert("mmqa", tmp_path, tmp_path / "out", "dev")
    assert all(name in str(caught.value) for name in FORMATS)
    assert not (tmp_path / "out").exists()


# --- MMCoQA ------------------------------------------------------------------------------------------

TURN = {
    "qid": "C_0_1", "question": "what did he win?", "gold_question": "what did Bill Murray win?",
    "history": [
        {"question": "who played Phil?", "answer": [{"answer": "Bill Murray"}, {"answer": "nobody"}]},
        {"question": "really?", "answer": "yes"},
    ],
    "question_type": "text", "table_id": "b1",
    "answer": [{"answer": "an Emmy", "text_instances": [{"doc_id": "t1"}], "image_instances": []}],
}  # fmt: skip


@pytest.fixture
def conversations(release: Path) -> Path:
    prefix = "multimodalqa_final_dataset_pipeline_camera_ready_"
    for part in ("tables", "images"):
        shutil.move(release / f"MMQA_{part}.jsonl", release / f"{prefix}MMQA_{part}.jsonl")
    shutil.move(release / "MMQA_texts.jsonl.gz", release / f"{prefix}MMQA_texts.jsonl.gz")
    first = {
        "qid": "C_0_0",
        "question": "who?",
        "answer": [{"answer": "x"}],
        "question_type": "table",
        "table_id": "b1",
    }
    write_lines(release / "MMCoQA_dev.txt", [first, TURN])
    return release


def test_a_follow_up_brings_the_conversation_before_it(conversations: Path) -> None:
    questions = Bundle("mmcoqa", conversations, "dev").questions
    assert [(turn.question, turn.answer) for turn in questions["C_0_1"].history] == [
        ("who played Phil?", "Bill Murray, nobody"), ("really?", "yes"),
    ]  # fmt: skip
    assert questions["C_0_1"].tags["standalone"] == "what did Bill Murray win?"
    assert questions["C_0_1"].tags["turn"] == 2
    assert questions["C_0_0"].history == ()


@pytest.mark.parametrize(
    ("judgements", "gold"),
    [
        (None, {"C_0_0": (("b1",),), "C_0_1": (("t1",),)}),
        ("C_0_1 0 i1 1\nC_0_1 0 t2 0\n\n", {"C_0_0": (("b1",),), "C_0_1": (("i1",),)}),
        ('{"C_0_1": {"i1": 1, "t2": 0}}\n', {"C_0_0": (("b1",),), "C_0_1": (("i1",),)}),
    ],
)
def test_gold_comes_from_the_judgements_or_from_the_answers(
    conversations: Path, judgements: str | None, gold: dict[str, Any]
) -> None:
    if judgements:
        (conversations / "qrels.txt").write_text(judgements)
    questions = Bundle("mmcoqa", conversations, "dev").questions
    assert {id_: question.gold for id_, question in questions.items()} == gold


def test_a_judgement_of_the_wrong_width_is_named(conversations: Path) -> None:
    (conversations / "qrels.txt").write_text("C_0_1 0 i1 1\nC_0_1 i1 1\n")
    with pytest.raises(FormatError, match=r"qrels\.txt:2: has 3 columns"):
        Bundle("mmcoqa", conversations, "dev")
