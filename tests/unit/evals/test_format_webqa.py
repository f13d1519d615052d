"""WebQA: facts and captioned pictures of all questions make the corpus; pixels come from one large file."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from fixtures.releases import Bundle, png, write_json

from backtrail.evals.errors import FormatError

PICTURE = {
    "image_id": 30000001, "title": "Church", "caption": "A blue church", "url": "https://example.org/church",
    "imgUrl": "https://example.org/church.jpg",
}  # fmt: skip
SNIPPET = {"title": "Paint", "fact": "Blue paint is old.", "url": "https://example.org/paint", "snippet_id": "d5_0"}


def entry(**more: Any) -> dict[str, Any]:
    return {
        "Q": '"Are both churches blue?"', "A": ['"Yes, both are blue."'], "split": "val", "Qcate": "YesNo",
        "Guid": "d5", "txt_posFacts": [], "txt_negFacts": [SNIPPET], "img_posFacts": [PICTURE], "img_negFacts": [],
        **more,
    }  # fmt: skip


def release(folder: Path, entries: dict[str, Any] | None = None) -> Path:
    write_json(folder / "webqa" / "WebQA_train_val.json", entries or {"d5": entry(), "d6": entry(split="train")})
    return folder / "webqa"


def with_pixels(folder: Path, rows: list[tuple[str, bytes]]) -> Path:
    lines = [name.encode() + b"\t" + base64.b64encode(content) + b"\n" for name, content in rows]
    offsets = [str(sum(map(len, lines[:place]))) for place in range(len(lines))]
    (folder / "imgs.tsv").write_bytes(b"".join(lines))
    (folder / "imgs.lineidx").write_text("\n".join(offsets))
    return folder


def test_facts_for_and_against_are_both_in_the_corpus(tmp_path: Path) -> None:
    bundle = Bundle("webqa", release(tmp_path), "dev")
    assert bundle.counts == {"documents": 2, "components": 2, "questions": 1, "pictures": 0, "pictures missing": 1}
    components = bundle.lines("components")
    assert components["snippet:d5_0"]["text"] == "Blue paint is old."
    assert components["image:30000001"]["image"] == {"title": "Church", "caption": "A blue church", "file": None}
    question = bundle.questions["d5"]
    assert question.question == "Are both churches blue?"
    assert question.answers == ("Yes, both are blue.",)
    assert question.gold == (("image:30000001",),)
    assert question.tags["category"] == "YesNo"
    assert question.tags["modality"] == "image"


def test_a_question_that_needs_text_says_so(tmp_path: Path) -> None:
    facts = {"Qcate": "text", "txt_posFacts": [SNIPPET], "txt_negFacts": [], "img_posFacts": []}
    question = Bundle("webqa", release(tmp_path, {"d5": entry(**facts)}), "val").questions["d5"]
    assert question.tags["modality"] == "text"
    assert question.gold == (("snippet:d5_0",),)


def test_pixels_come_from_the_line_that_the_id_names(tmp_path: Path) -> None:
    folder = with_pixels(release(tmp_path), [("30000000", png("green")), ("30000001", png("blue"))])
    bundle = Bundle("webqa", folder, "val")
    file = bundle.lines("components")["image:30000001"]["image"]["file"]
    assert (bundle.folder / file).read_bytes() == png("blue")


def test_pixels_that_are_no_base64_are_missing_and_not_invented(tmp_path: Path) -> None:
    folder = with_pixels(release(tmp_path), [("30000000", b""), ("30000001", b"")])
    text = (folder / "imgs.tsv").read_bytes().replace(b"30000001\t", b"30000001\t!!!")
    (folder / "imgs.tsv").write_bytes(text)
    assert Bundle("webqa", folder, "val").counts["pictures missing"] == 1


def test_an_index_that_is_off_is_told_instead_of_taking_another_picture(tmp_path: Path) -> None:
    folder = with_pixels(release(tmp_path), [("30000001", png()), ("30000000", png())])
    with pytest.raises(FormatError, match=r"imgs\.tsv:2: holds the picture .*30000000.*, not 30000001"):
        Bundle("webqa", folder, "val")


@pytest.mark.parametrize(
    ("content", "split", "told"),
    [
        (None, "val", "has none of the files WebQA_train_val.json"),
        (None, "later", "has no split 'later'; there are train, val, test"),
        ("{", "val", r"WebQA_train_val\.json:1: is not JSON"),
        ('{"d5": {"split": "val"}}', "val", "lacks the field 'Q'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: str | None, split: str, told: str) -> None:
    folder = tmp_path / "webqa"
    folder.mkdir()
    if content is not None:
        (folder / "WebQA_train_val.json").write_text(content)
    with pytest.raises(FormatError, match=told):
        Bundle("webqa", folder, split)
