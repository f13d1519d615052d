"""A file that exceeds a limit fails alone: the ingest goes on, and names it with the limit."""

from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.pipeline import ingest

LAUGHS = "a0: &a0 [lol, lol]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 24))
DEEP = '{"a":' * 200 + "1" + "}" * 200
CELL = '{"cell_type": "markdown", "source": "hi"}'
LARGER, DEEPER, LONGER = "characters", "more than 100 levels deep", "more than 4,300 digits"


def problems(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """What an ingest says of each file that it does not read; a good page beside them is read whatever they are."""
    for name, text in {**files, "good.md": "# Good\n\nThe moon is grey."}.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = ingest([folder / "pages"], "limits", embedder="hashed", opened=HashedEmbedder())
    assert report.added >= 1
    named = [*report.failed, *report.skipped, *report.warnings]
    return {Path(one.source).relative_to(folder / "pages").as_posix(): one.reason for one in named}


@pytest.mark.parametrize(
    ("name", "text", "limit"),
    [
        ("page.md", f"---\n{LAUGHS}---\n# Page", LARGER),
        ("page.html", f"---\n{LAUGHS}---\n<p>Page</p>", LARGER),
        ("_config.yml", f"x: 0x{'f' * 5_000}\n", LONGER),
        ("hugo.toml", f"baseurl = 'x'\nx{'.a' * 1_000} = 1\n", DEEPER),
        ("mkdocs.yml", f"site_name: x\n# {'x' * 2**21}", "larger than 2 MB"),
        ("notes.ipynb", f'{{"cells": [{CELL}], "metadata": {DEEP}}}', DEEPER),
    ],
)
def test_a_file_beyond_a_limit_fails_alone(tmp_path: Path, name: str, text: str, limit: str) -> None:
    found = problems(tmp_path, {name: text})
    assert found.keys() == {name}
    assert limit in found[name]


def test_a_line_of_a_bundle_beyond_a_limit_fails_alone(tmp_path: Path) -> None:
    document = '{"id": "d", "title": "D"}'
    component = '{"id": "c", "document": "d", "position": 0, "modality": "text", "text": "hi"'
    deep = f'{component}, "x": {DEEP}}}'
    bundle = {"documents.jsonl": document, "components.jsonl": f"{component}}}\n{deep}\n"}
    found = problems(tmp_path, {f"bundle/{name}": text for name, text in bundle.items()})
    assert found.keys() == {"bundle/components.jsonl:2"}
    assert DEEPER in found["bundle/components.jsonl:2"]
