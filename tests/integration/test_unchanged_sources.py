"""What lies there as before is not parsed again, and the corpus and the report are as if it were."""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from PIL import Image

from backtrail.ingest.bundles import parse as bundles
from backtrail.ingest.parse_cache import root_cache
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check, delete_documents


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the components that are parsed from bundles."""
    found: list[str] = []
    whole = bundles.read_component
    monkeypatch.setattr(bundles, "read_component", lambda line: found.append(line["id"]) or whole(line))
    return found


def write(folder: Path, texts: dict[str, str], extra: list[dict] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    named = [{"id": name, "title": f"Title {name}"} for name in texts]
    lines = [
        {"id": f"{name}#0", "document": name, "position": 0, "modality": "text", "text": text}
        for name, text in texts.items()
    ]
    for file, values in (("documents", named), ("components", [*lines, *(extra or [])])):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return folder


def picture_of(document: str, file: str) -> dict:
    image = {"file": file, "caption": "A square", "title": ""}
    return {"id": f"{document}#p", "document": document, "position": 1, "modality": "image", "image": image}


def run(*folders: Path) -> IngestReport:
    return ingest(folders, "kept", embedder="hashed", opened=HashedEmbedder())


def counted(report: IngestReport) -> IngestReport:
    return replace(report, seconds=0.0, embedded=0, version="", dead_links={}, edges={}, links={})


def test_of_a_bundle_only_documents_that_changed_are_parsed(
    tmp_path: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {f"d{n}": f"Text {n}." for n in range(6)}
    folder = write(tmp_path / "bundle", texts)
    assert (run(folder).added, len(parsed)) == (6, 6)
    parsed.clear()
    assert (run(folder).unchanged, parsed) == (6, [])
    del texts["d4"]
    report = run(write(folder, texts | {"d2": "Another.", "new": "New."}))
    assert parsed == ["d2#0", "new#0"]
    assert (report.added, report.changed, report.unchanged, report.deleted) == (1, 1, 4, 1)
    assert check("kept") == []
    parsed.clear()
    monkeypatch.setattr(root_cache, "parsers", lambda: "others")  # other versions of parsers parse again
    assert (run(folder).unchanged, len(parsed)) == (6, 6)


def test_the_report_is_the_same_whether_documents_are_parsed_or_not(tmp_path: Path, home: Path) -> None:
    extra = [picture_of("a", "there.png"), picture_of("b", "gone.png")]
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."}, extra)
    Image.new("RGB", (40, 40), "red").save(folder / "there.png")
    run(folder)
    taken_over = run(folder)
    assert (taken_over.pictures, len(taken_over.warnings), taken_over.unchanged) == (1, 1, 2)
    for file in (home / "corpora" / "kept" / "readings").iterdir():
        file.unlink()
    assert counted(run(folder)) == counted(taken_over)


def test_pictures_that_change_come_or_go_are_seen(tmp_path: Path, parsed: list[str]) -> None:
    extra = [picture_of("a", "a.png"), picture_of("b", "b.png")]
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two.", "c": "Three."}, extra)
    Image.new("RGB", (40, 40), "red").save(folder / "a.png")
    run(folder)
    for change in ("other contents", "there now", "gone"):
        parsed.clear()
        if change == "gone":
            (folder / "a.png").unlink()
        else:
            Image.new("RGB", (40, 40), "blue").save(folder / ("a.png" if change == "other contents" else "b.png"))
        document = "b" if change == "there now" else "a"
        assert (run(folder).changed, set(parsed)) == (1, {f"{document}#0", f"{document}#p"}), change


def test_what_is_written_just_before_an_ingest_is_seen_to_change_within_the_same_moment(tmp_path: Path) -> None:
    folder = write(tmp_path / "bundle", {"a": "One."}, [picture_of("a", "a.bmp")])
    files = [folder / "a.bmp", folder / "components.jsonl"]
    Image.new("RGB", (40, 40), "red").save(files[0])
    times = [file.stat().st_mtime_ns + 3_600_000_000_000 for file in files]  # written just now, however slow we are
    for file, time in zip(files, times, strict=True):
        os.utime(file, ns=(time, time))
    run(folder)
    assert run(folder).unchanged == 1
    for file, content in zip(files, (b"\xff\x00\x00", b"Two."), strict=True):
        file.write_bytes(file.read_bytes().replace(b"\x00\x00\xff" if file is files[0] else b"One.", content))
        for one, time in zip(files, times, strict=True):
            os.utime(one, ns=(time, time))  # what a coarse file system would say
        assert run(folder).changed == 1, file


def test_what_the_corpus_no_longer_holds_is_parsed(tmp_path: Path, parsed: list[str]) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    run(write(tmp_path / "other", {"z": "Of another folder."}))
    delete_documents("kept", ["a"], opened=HashedEmbedder())
    parsed.clear()
    assert (run(folder).added, set(parsed)) == (1, {"a#0", "b#0"})  # forgetting leaves no readings either


@pytest.mark.parametrize("content", [b"no zlib", "[9, 9, 9, {}]\n", "cut", "entries"])
def test_readings_that_are_damaged_or_of_another_version_cost_time_alone(
    content: str | bytes, tmp_path: Path, home: Path, parsed: list[str]
) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    (file,) = (home / "corpora" / "kept" / "readings").iterdir()
    first, *entries = zlib.decompress(file.read_bytes()).splitlines(keepends=True)
    damaged = {
        "cut": file.read_bytes()[:-5],
        "entries": zlib.compress(first + b"".join(entry[:-3] + b"\n" for entry in entries)),
    }
    if isinstance(content, str):
        content = damaged.get(content) or zlib.compress(content.encode())
    file.write_bytes(content)
    for read in (2, 0):
        parsed.clear()
        assert (run(folder).unchanged, len(parsed)) == (2, read)


def test_a_bad_line_is_told_of_each_time_and_takes_nothing_away(tmp_path: Path) -> None:
    folder = write(tmp_path / "bundle", {"a": "One.", "b": "Two."})
    run(folder)
    with (folder / "components.jsonl").open("a") as file:
        file.write('{"id": "a#1", "document": "a", "position": 1, "modality": "text", "text": 3}\n')
    for _ in range(2):
        report = run(folder)
        assert (len(report.failed), report.unchanged) == (1, 2)
    write(folder, {"a": "One.", "b": "Two."}, [{"id": "x", "document": "nowhere"}])
    report = run(folder)
    assert (len(report.failed), report.unchanged, report.deleted) == (1, 2, 0)
