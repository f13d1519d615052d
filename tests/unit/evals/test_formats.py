"""Official layouts of benchmarks become bundles: the made-up releases that ship, variations and samples of them."""

import gzip
import json
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.releases import Bundle, Release, write_png

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.table import FORMATS, convert
from backtrail.evals.pictures import with_kept_picture
from backtrail.evals.reproduction.sample import SPLITS
from backtrail.evals.tasks.table import find_task
from backtrail.ingest.pipeline import ingest
from benchmarks import sample_tables

WIKI = "https://example.org/wiki/"


@pytest.mark.parametrize("name", FORMATS)
def test_every_layout_has_a_sample_with_its_pictures_and_its_gold(name: str, tmp_path: Path) -> None:
    bundle = Release(tmp_path, name).bundle()
    questions = bundle.questions.values()
    assert len(questions) >= 2
    assert all(question.answers or question.tags.get("pages") == "unanswerable" for question in questions)
    assert not bundle.missing
    files = bundle.folder / "documents"
    if files.is_dir():
        assert all((files / one.document).is_file() for q in questions for one in q.evidence)
    else:
        components = (bundle.folder / "components.jsonl").read_text()
        assert all(f'"{one}"' in components for q in questions for group in q.gold for one in group)
    for tag in find_task(name).by:
        assert any(question.tag(tag) for question in questions), f"no question tells {tag}"


def test_every_context_is_a_component_under_its_own_id(tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    release.replace("MMQA_tables.jsonl", '{"text": "1994"', '{"text": "1994", "links": []}, {"text": "odd"')
    release.replace("MMQA_tables.jsonl", '"links": [{', '"links": [{"text": "x", "url": "https://example.org/No"}, {')
    bundle = release.bundle()
    assert bundle.counts == {"documents": 5, "components": 7, "questions": 6, "pictures": 2, "pictures missing": 0}
    components = bundle.lines("components")
    assert components["t4"]["text"].startswith("Kessig is a mining town")
    assert components["t1"]["document"] == components["i2"]["document"] == f"{WIKI}Ostrel_Light"
    table = components["tab1"]["table"]
    assert table["caption"] == "Ferries of Ostrel – Ferries in service"
    assert table["header"] == ["Ship", "Route", "Since", ""]
    assert table["rows"][0] == ["MV Halvor", "Ostrel–Brae", "1994", "odd"]
    assert components["tab1"]["links"] == [{"target": f"{WIKI}MV_Halvor", "anchor": "MV Halvor", "row": 0, "column": 0}]
    assert (bundle.folder / components["i1"]["image"]["file"]).read_bytes().startswith(b"\x89PNG")
    report = ingest([bundle.folder], "mmqa", embedder="offline", opened=HashedEmbedder())
    assert (report.failed, report.links["internal"]) == ([], 1)


def test_questions_carry_their_list_of_answers_and_their_gold(tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    release.replace("MMQA_dev.jsonl", '"answers": [{"answer": "Marta Colm"', '"replies": [{"answer": "Marta Colm"')
    questions = release.bundle().questions
    both = questions["ostrel-5"]
    assert (both.answers, both.tags["answer_list"]) == (("MV Halvor, MV Sunniva",), ["MV Halvor", "MV Sunniva"])
    two = questions["ostrel-3"]
    assert (two.gold, two.hops) == ((("t1",), ("t2",)), 2)
    assert (two.tags["type"], two.tags["modalities"], two.tags["sources"]) == ("Compose(TextQ,TextQ)", "multi", 2)
    assert not questions["ostrel-1"].answers, "the test split has no answers"


def test_packed_files_are_read_and_a_torn_one_is_named(tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    texts = release.folder / "MMQA_texts.jsonl"
    packed = gzip.compress(texts.read_bytes())
    texts.unlink()
    (release.folder / "MMQA_texts.jsonl.gz").write_bytes(packed[:-12])
    with pytest.raises(FormatError, match=r"MMQA_texts\.jsonl\.gz cannot be read"):
        release.bundle()
    (release.folder / "MMQA_texts.jsonl.gz").write_bytes(packed)
    assert "t4" in release.bundle().lines("components")


@pytest.mark.parametrize(
    ("layout", "file", "old", "outside"),
    [
        ("multimodalqa", "MMQA_images.jsonl", "light.png", "../../secret.png"),
        ("scienceqa", "problems.json", "image.png", "../../../../secret.png"),
    ],
)
def test_a_picture_from_outside_is_not_read(layout: str, file: str, old: str, outside: str, tmp_path: Path) -> None:
    release = Release(tmp_path, layout)
    secret = write_png(tmp_path / "secret.png").read_bytes()
    release.replace(file, old, outside)
    files = [file for file in release.bundle().folder.rglob("*") if file.is_file()]
    assert secret not in [file.read_bytes() for file in files]


@pytest.mark.parametrize(
    "url", ["http://example.org/wiki/MV%20Halvor#History", "https://example.org/wiki/Halvor_(ship)"]
)
def test_a_page_is_one_however_it_is_spelt_and_a_moved_one_is_found(url: str, tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    release.replace("MMQA_tables.jsonl", f"{WIKI}MV_Halvor", url)
    assert release.bundle().lines("components")["tab1"]["links"][0]["target"] == f"{WIKI}MV_Halvor"


@pytest.mark.parametrize("layout", ["multimodalqa", "mmcoqa"])
def test_a_corpus_can_be_the_pages_that_a_split_rests_on(layout: str, tmp_path: Path) -> None:
    release = Release(tmp_path, layout)
    file = next(file for file in release.folder.iterdir() if file.name.startswith(("MMQA_dev", "MMCoQA_dev")))
    file.write_text(file.read_text().splitlines()[0] + "\n")
    bundle = release.bundle("dev.pages")
    (question,) = bundle.questions.values()
    gold = {component for group in question.gold for component in group}
    assert {line["document"] for line in bundle.lines("components").values()} == {f"{WIKI}Ostrel_Light"}
    assert gold < bundle.lines("components").keys() == {"t1", "i2"}


@pytest.mark.parametrize("layout", ["multimodalqa", "webqa"])
def test_in_the_distractor_setting_a_question_searches_its_own_contexts(layout: str, tmp_path: Path) -> None:
    bundle = Release(tmp_path, layout).bundle(f"{SPLITS.get(layout, 'dev')}.given")
    components = bundle.lines("components")
    assert {line["document"] for line in components.values()} == bundle.lines("documents").keys() == components.keys()
    for question in bundle.questions.values():
        gold = {component for group in question.gold for component in group}
        assert gold < set(question.documents) <= components.keys()
    assert any(len(question.documents) < len(components) for question in bundle.questions.values())


def test_links_lead_to_every_context_of_a_page_and_lost_contexts_are_named(tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    asked = [line for line in (release.folder / "MMQA_dev.jsonl").read_text().splitlines() if "ostrel-6" not in line]
    (release.folder / "MMQA_dev.jsonl").write_text("\n".join(asked).replace('"i2"', '"i9"', 1))
    bundle = release.bundle("dev.given")
    assert {link["target"] for link in bundle.lines("components")["tab1"]["links"]} == {"t3", "i1"}
    assert bundle.questions["ostrel-1"].documents == ("tab1", "t1", "t2", "t3")
    assert bundle.missing == [{"question": "ostrel-1", "why": "1 of its 5 contexts are not in the release"}]


def test_a_follow_up_brings_the_conversation_before_it(tmp_path: Path) -> None:
    release = Release(tmp_path, "mmcoqa")
    release.replace(
        "MMCoQA_dev.txt", '[{"answer": "Marta Colm"}]}]', '[{"answer": "Marta Colm"}, {"answer": "Colm"}]}]'
    )
    questions = release.bundle().questions
    turn = questions["C_1_2"]
    assert [one.answer for one in questions["C_1_1"].history] == ["Marta Colm, Colm"]
    assert [(one.question, one.answer) for one in turn.history][1] == ("Where was she born?", "Kessig")
    assert (turn.tags["standalone"], turn.tags["turn"]) == ("What color is Ostrel Light?", 2)
    assert questions["C_1_0"].history == ()


@pytest.mark.parametrize(
    ("judgements", "gold"),
    [
        (None, {"C_1_0": "t1", "C_1_1": "t2", "C_1_2": "i2", "C_2_0": "tab1"}),
        ("C_1_1 0 i1 1\nC_1_1 0 t2 0\n\n", {"C_1_0": "t1", "C_1_1": "i1", "C_1_2": "i2", "C_2_0": "tab1"}),
        ('{"C_1_1": {"i1": 1, "t2": 0}}\n', {"C_1_0": "t1", "C_1_1": "i1", "C_1_2": "i2", "C_2_0": "tab1"}),
    ],
)
def test_gold_comes_from_judgements_or_answers(judgements: str | None, gold: dict[str, str], tmp_path: Path) -> None:
    release = Release(tmp_path, "mmcoqa")
    (release.folder / "qrels.txt").unlink()
    if judgements:
        (release.folder / "qrels.txt").write_text(judgements)
    found = release.bundle().questions
    assert {id_: question.gold for id_, question in found.items()} == {id_: ((one,),) for id_, one in gold.items()}


def test_facts_for_and_against_are_both_in_the_corpus_with_their_pixels(tmp_path: Path) -> None:
    bundle = Release(tmp_path, "webqa").bundle()
    components = bundle.lines("components")
    assert components["snippet:t4_0"]["text"].startswith("Kessig is a mining town")
    assert components["image:30000002"]["image"]["caption"] == "The iron bridge of Kessig"
    pixels = {(bundle.folder / components[f"image:3000000{n}"]["image"]["file"]).read_bytes() for n in range(3)}
    assert len(pixels) == 3
    by_picture, by_text = bundle.questions["w2"], bundle.questions["w1"]
    assert by_picture.question == "Are both Ostrel Light and the ferry MV Halvor red?"
    assert by_picture.gold == (("image:30000000",), ("image:30000001",))
    assert (by_picture.tags["category"], by_picture.tags["modality"], by_text.tags["modality"]) == (
        "YesNo", "image", "text",
    )  # fmt: skip
    assert by_text.gold == (("snippet:t1_0",), ("snippet:t2_0",))


def test_of_several_versions_the_newest_is_taken_or_the_one_that_is_named(tmp_path: Path) -> None:
    release = Release(tmp_path, "dynvqa")
    (release.folder / "DynVQA_en").mkdir()
    lines = (release.folder / "DynVQA_en.jsonl").read_text()
    for version in ("202412", "202502", "202406"):
        (release.folder / "DynVQA_en" / f"DynVQA_en.{version}.jsonl").write_text(lines.replace("Marta Colm", version))
    (release.folder / "DynVQA_en.jsonl").unlink()
    with pytest.raises(FormatError, match=r"no version '1' of DynVQA_en; there are 202406"):
        release.bundle("en.1")
    assert release.bundle("en.202406").questions["en1"].answers == ("202406",)
    release.folder = release.folder.rename(tmp_path / "again")
    assert release.bundle("en").questions["en1"].answers == ("202502",)


def test_pictures_at_hand_are_found_by_path_and_by_the_end_of_their_address(tmp_path: Path) -> None:
    host = "https://pictures.example.org"
    addresses = {
        "en1": f"{host}/a/one.png?size=2", "en2": f"{host}/a/two.png", "en3": "images/three.png",
        "en4": f"{host}/b/same.png", "en5": f"{host}/c/same.png", "en6": f"{host}/gone.png",
        "en7": "../../outside.png", "en8": f"{host}/broken.png", "en9": "",
    }  # fmt: skip
    release = Release(tmp_path, "dynvqa")
    line = json.loads((release.folder / "DynVQA_en.jsonl").read_text().splitlines()[0])
    lines = [{**line, "question_id": id_, "image_url": url} for id_, url in addresses.items()]
    release.replace("DynVQA_en.jsonl", "", "\n".join(map(json.dumps, lines)))
    for name in ("one.png", "a/two.png", "three.png", "same.png"):
        write_png(release.folder / "images" / name)
    write_png(tmp_path / "outside.png")
    (release.folder / "images" / "broken.png").write_bytes(b"no picture")
    bundle = release.bundle("en")
    held = {id_: question.tags["picture"] for id_, question in bundle.questions.items()}
    assert [held[id_] for id_ in addresses] == ["kept"] * 3 + ["missing"] * 5 + ["none"]
    assert bundle.counts["pictures missing"] == 5
    assert {line["question"]: line["picture"] for line in bundle.missing}["en6"] == f"{host}/gone.png"
    why = {line["question"]: line["why"] for line in bundle.missing}
    assert "--download" in why["en4"]
    assert "no such file" in why["en7"]
    assert "broken.png" in why["en8"]
    for question in bundle.questions.values():
        with_kept_picture(question, bundle.folder / "questions.jsonl")  # what is kept, a run can read


def test_each_level_of_livevqa_is_a_question_and_entries_that_share_an_id_stay_apart(tmp_path: Path) -> None:
    release = Release(tmp_path, "livevqa")
    (entry,) = json.loads((release.folder / "News/benchmark.json").read_text())
    release.replace("News/benchmark.json", "", json.dumps([entry, {**entry, "level2_qa": None}]))
    bundle = release.bundle("news")
    assert list(bundle.questions) == ["news/news_1/1", "news/news_1/2", "news/news_1~2/1"]
    first, second, _ = bundle.questions.values()
    assert (first.answers, second.answers) == (("Ostrel Light",), ("Marta Colm",))
    assert (first.hops, second.hops, first.image) == (1, 2, second.image)
    assert bundle.counts["pictures"] == 1
    assert first.tags == {
        "part": "news", "level": 1, "type": "building", "source": "Ostrel Post", "time": "2025-04-29T05:19:56.004Z",
        "picture": "kept", "offered": ["Ostrel Light", "Norholm"],
    }  # fmt: skip


def test_a_record_of_cogbench_becomes_a_question_and_its_documents_the_corpus(tmp_path: Path) -> None:
    release = Release(tmp_path, "cogbench")
    release.replace("CogBench_test.jsonl", '"url": "https://example.org/t3", ', "")
    release.replace("CogBench_test.jsonl", '"id": "d1", "title"', '"id": "d2", "title"')
    release.replace("CogBench_test.jsonl", '"documents": ["d1"]', '"documents": []')
    release.replace("CogBench_test.jsonl", "https://example.org/t1", "https://example.org/t2")
    bundle = release.bundle("test")
    question = bundle.questions["cb2"]
    assert question.answers == ("Kessig is known for its tin and its brass bands.",)
    assert (question.gold, question.hops) == ((), 3), "the paper defines no gold for the way to an answer"
    assert (question.tags["steps"], question.tags["form"], question.tags["picture"]) == (">2", "open", "kept")
    assert question.tags["actions"] == ["image search", "text search", "text search"]
    assert question.tags["queries"] == ["Kessig known for"]
    components = bundle.lines("components")
    assert components["cb3/d3#text"]["text"].startswith("MV Halvor is a car ferry"), "a page without an address"
    assert components["https://example.org/p1#image"]["image"]["caption"] == "Ostrel Light at dusk"
    assert bundle.counts["documents"] == 4, "the page with an address that two records found once"
    assert not ingest([bundle.folder], "cog", embedder="offline", opened=HashedEmbedder()).failed


def test_scienceqa_in_the_qcm_form_with_its_groups_and_the_lectures_of_training_as_corpus(tmp_path: Path) -> None:
    bundle = Release(tmp_path, "scienceqa").bundle()
    hinted, shown, late = (bundle.questions[id_] for id_ in ("3", "4", "6"))
    assert hinted.question == (
        "Question: Which reaches an observer first?\nContext: A lighthouse flashes and sounds its horn at the same "
        "moment.\nOptions: (A) the flash of a far lighthouse (B) the sound of its horn"
    )
    assert shown.question.endswith("Context: N/A\nOptions: (A) a bridge (B) a lighthouse (C) a ferry")
    assert shown.image is not None
    assert (bundle.folder / shown.image).read_bytes().startswith(b"\x89PNG")
    groups = [[one.tags[key] for key in ("label", "subject", "context", "grade")] for one in (hinted, shown, late)]
    assert groups == [["A", "NAT", ["TXT"], "G1-6"], ["B", "SOC", ["IMG"], "G1-6"], ["A", "LAN", ["NO"], "G7-12"]]
    lines = bundle.lines("components").values()
    texts = [line["text"] for line in lines if line["modality"] == "text"]
    assert [text.split()[1] for text in texts] == ["lighthouse", "ferry"], "the paragraphs of the one lecture"
    (picture,) = [line for line in lines if line["modality"] == "image"]
    assert picture["image"]["caption"] == "a white lighthouse with a beam of light", "as captions.json says"
    assert picture["document"] in {line["document"] for line in lines if line["modality"] == "text"}


@pytest.mark.parametrize(
    ("name", "label", "options"),
    [("crisismmd2", "vehicle damage", 8), ("crisismmd2merged", "infrastructure and utility damage", 5)],
)
def test_rare_classes_are_merged_only_where_that_is_asked(name: str, label: str, options: int, tmp_path: Path) -> None:
    bundle = Release(tmp_path, name).bundle()
    question = list(bundle.questions.values())[-1]
    assert question.answers == (label,)
    assert len(question.tags["options"]) == options
    assert "Context: ostrel flood: Cars under water on Quay Street" in question.question


def test_pictures_of_training_are_in_the_corpora_without_what_would_give_answers_away(tmp_path: Path) -> None:
    bundle = Release(tmp_path, "crisismmd2").bundle()
    assert [line["modality"] for line in bundle.lines("components").values()] == ["text", "image"] * 3
    assert "infrastructure" not in (bundle.folder / "components.jsonl").read_text(), "labels stay out"
    bundle = Release(tmp_path / "informative", "crisismmd1").bundle()
    assert [question.tags["label"] for question in bundle.questions.values()] == ["A", "A", "A", "B", "A"]
    assert "informative" not in (bundle.folder / "components.jsonl").read_text()


def test_infoseek_keeps_what_its_score_needs(tmp_path: Path) -> None:
    named, dated, counted = Release(tmp_path, "infoseek").bundle().questions.values()
    assert named.tags["wordings"] == ["Marta Colm", "Colm"]
    assert (named.tags["seen"], dated.tags["seen"], dated.tags["type"]) == ("question", "entity", "Time")
    assert (counted.tags["range"], counted.answers) == ([54.0, 66.0], ("60",))


def test_paragraphs_that_come_again_are_one_and_supporting_ones_are_gold(tmp_path: Path) -> None:
    hotpot = Release(tmp_path / "hotpot", "hotpotqa").bundle()
    assert len(hotpot.lines("components")) == 4, "six paragraphs, two of them twice"
    assert hotpot.questions["h1"].hops == 2
    musique = Release(tmp_path / "musique", "musique").bundle()
    assert [q.tags["type"] for q in musique.questions.values()] == ["2 hops", "3 hops"]


def test_questions_over_tables_search_all_tables_or_their_own(tmp_path: Path) -> None:
    release = Release(tmp_path, "wikitablequestions")
    release.replace("data/random-split-1-dev.tsv", "csv/200-csv/2.csv", "csv/200-csv/9.csv")
    bundle = release.bundle("dev.given")
    assert bundle.lines("components")["table:200-1"]["table"]["rows"][1] == ["MV Sunniva", "Ostrel\nBrae", "1998"]
    assert {one.documents for one in bundle.questions.values()} == {("table:200-1",)}
    assert bundle.missing == [{"question": "nt-3", "table": "csv/200-csv/9.csv", "why": "is not in the release"}]
    assert bundle.questions["nt-2"].tags["answer_list"] == ["MV Halvor", "MV Sunniva"]


def test_a_table_of_tatqa_has_its_header_its_caption_and_the_rows_of_a_derivation(tmp_path: Path) -> None:
    bundle = Release(tmp_path, "tatqa").bundle()
    table = bundle.lines("components")["report:harbour#table"]["table"]
    assert (table["caption"], table["header"]) == ("Years ended 30 June,", ["", "2019", "2018", "Change"])
    share = bundle.questions["h3"]
    assert (share.answers, share.tags["source_rows"]) == (("97.05 percent",), [[1], [2]])
    assert bundle.questions["h1"].gold == (("report:harbour#table",), ("report:harbour#2",))


def test_hybridqa_links_cells_to_passages(tmp_path: Path) -> None:
    bundle = Release(tmp_path, "hybridqa").bundle()
    assert bundle.questions["hy1"].gold == (("table:Ferries_0",), ("text:/wiki/MV_Halvor",))
    links = bundle.lines("components")["table:Ferries_0"]["links"]
    assert "/wiki/MV_Halvor" in {link["target"] for link in links}


@pytest.mark.parametrize(
    ("layout", "distractors", "documents"),
    [("wikitablequestions", 0, 1), ("wikitablequestions", 9, 2), ("tatqa", 9, 1)],
)
def test_a_sample_asks_the_first_questions_of_its_release(
    layout: str, distractors: int, documents: int, tmp_path: Path
) -> None:
    release, out = Release(tmp_path, layout), tmp_path / "sample"
    command = [layout, str(release.folder), str(out), "--questions", "1", "--distractors", str(distractors)]
    sample_tables.main(command)
    sample = Bundle(layout, out, "dev")
    assert list(sample.questions.items()) == list(release.bundle().questions.items())[:1]
    assert (sample.counts["documents"], sample.missing) == (documents, [])


TABLES, COG, PROBLEMS = "MMQA_tables.jsonl", "CogBench_test.jsonl", "problems.json"
QUESTIONS = "data/random-split-1-dev.tsv"
SAMPLES = "data/samples.json"


@pytest.mark.parametrize(
    ("layout", "file", "old", "new", "problem"),
    [
        ("multimodalqa", TABLES, "", None, "has none of the files MMQA_tables.jsonl, tables.jsonl"),
        ("multimodalqa", TABLES, '{"id"', '\n{"id', r"MMQA_tables\.jsonl:2: is not JSON"),
        ("multimodalqa", TABLES, '{"id"', '[1]\n{"id"', r"MMQA_tables\.jsonl:1: is not a JSON object"),
        ("mmcoqa", "qrels.txt", "C_1_1 0 t2", "C_1_1 t2", r"qrels\.txt:2: has 3 columns"),
        ("webqa", "imgs.tsv", "30000001\t", "30000009\t", r"imgs\.tsv:2: holds the picture .*30000009.*, not 30000001"),
        ("dynvqa", "DynVQA_en.jsonl", '"question": "Since', '"q": "Since', r"en\.jsonl:2: lacks the field 'question'"),
        ("cogbench", COG, '"text search"', '"web search"', r":1: has the action 'web search'; actions are text search"),
        ("cogbench", COG, '"documents": ["d1"]', '"documents": ["d9"]', r"jsonl:1: names the document 'd9'"),
        ("scienceqa", PROBLEMS, '"answer": 0', '"answer": 5', "answer 5"),
        ("mmlongbench", SAMPLES, "harbour-report.pdf", "gone.pdf", "gone.pdf"),
        ("wikitablequestions", QUESTIONS, "csv/200-csv/1.csv", "../1.csv", r"names the table '\.\./1\.csv'"),
    ],
)
def test_a_misfit_is_named(layout: str, file: str, old: str, new: str | None, problem: str, tmp_path: Path) -> None:
    release = Release(tmp_path, layout)
    if new is None:
        (release.folder / file).unlink()
    else:
        release.replace(file, old, new)
    with pytest.raises(FormatError, match=problem):
        release.bundle({"dynvqa": "en", "livevqa": "news", "cogbench": "test"}.get(layout, ""))
    assert list(tmp_path.iterdir()) == [release.folder]


@pytest.mark.parametrize(
    ("layout", "split", "problem"),
    [
        ("webqa", "later", "has no split 'later'; there are train, val, test"),
        ("mmlongbench", "other.pdf", "no question about"),
    ],
)
def test_an_unknown_split_is_told_those_there_are(layout: str, split: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem):
        Release(tmp_path, layout).bundle(split)


def test_an_unknown_layout_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        convert("mmqa", tmp_path, tmp_path / "out", "dev")
    assert all(name in str(caught.value) for name in FORMATS)
    assert not (tmp_path / "out").exists()


def test_what_is_in_the_way_stays_and_what_is_left_of_a_broken_conversion_does_not(tmp_path: Path) -> None:
    release = Release(tmp_path, "multimodalqa")
    (tmp_path / "release-bundle.part").mkdir()
    (tmp_path / "release-bundle.part" / "documents.jsonl").write_text("half a li")
    assert len(release.bundle().lines("documents")) == 5
    kept = (tmp_path / "release-bundle" / "documents.jsonl").read_text()
    with pytest.raises(FormatError, match="exists and is not empty"):
        release.bundle()
    assert (tmp_path / "release-bundle" / "documents.jsonl").read_text() == kept


@pytest.mark.parametrize("name", ["../out.pdf", "/etc/passwd", "..", ""])
def test_a_document_whose_name_leaves_its_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "real.pdf").write_bytes(b"%PDF")
    with pytest.raises(FormatError), BundleWriter(tmp_path / "out") as writer:
        writer.file(name, tmp_path / "real.pdf")
