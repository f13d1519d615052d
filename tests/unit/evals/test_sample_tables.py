"""A sample of a release has its first questions, their tables, and as many further tables as were asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.releases import Bundle, Release

from benchmarks import sample_tables


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
