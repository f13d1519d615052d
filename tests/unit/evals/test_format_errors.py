"""A release that is not as its benchmark publishes it: what is wrong is named, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.releases import Release

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.table import FORMATS, convert

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
