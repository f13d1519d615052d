"""WebQA, official release (Chang et al., CVPR 2022): open questions over snippets and pictures.

Files: ``WebQA_train_val.json`` (or ``WebQA_test.json``), and ``imgs.tsv`` with ``imgs.lineidx`` for the pixels. One
entry of the first file, by its guid:

    "d5bb…": {"Q": "\\"Are both … painted blue?\\"", "A": ["\\"Yes, both are blue.\\""], "split": "val",
              "Qcate": "YesNo", "Guid": "d5bb…", "txt_posFacts": [], "txt_negFacts": [{"title", "fact", "url",
              "snippet_id"}], "img_posFacts": [{"image_id", "title", "caption", "url", "imgUrl"}], "img_negFacts": []}

The corpus is the facts of all questions, positive and negative. A question with pictures needs all of them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.hash_order import GIVEN
from backtrail.evals.formats.lines import field, found, read_json

SPLITS = {"train": "WebQA_train_val.json", "val": "WebQA_train_val.json", "test": "WebQA_test.json"}


def write_webqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write facts and questions of a split (train, val; test has no gold).

    In ``val.given`` each fact is a document of its own, and each question searches its own facts: the distractor
    setting (section 3 of the paper).

    Raises:
        FormatError: there is no such split, a file is missing, or an entry lacks a field.
    """
    given, split = split.endswith(GIVEN), split.removesuffix(GIVEN)
    if split == "dev":
        split = "val"
    if split not in SPLITS:
        raise FormatError(source, None, f"has no split {split!r}; there are {', '.join(SPLITS)}")
    file = found(source, SPLITS[split])
    pictures = _Pictures(source)
    for guid, entry in read_json(file).items():
        if entry.get("split", split) != split:
            continue
        facts = [_write_snippet(writer, fact, file, alone=given) for fact in _facts(entry, "txt")]
        facts += [_write_picture(writer, fact, file, pictures, alone=given) for fact in _facts(entry, "img")]
        writer.question({**_question(guid, entry, file), "documents": facts if given else []})


def _facts(entry: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    for name in (f"{kind}_posFacts", f"{kind}_negFacts", f"{kind}_Facts"):
        yield from entry.get(name, [])


def _write_snippet(writer: BundleWriter, fact: dict[str, Any], file: Path, *, alone: bool) -> str:
    """Write a snippet into the document of its page, or ``alone`` into one of its own; return its id."""
    id_ = snippet_id(field(fact, "snippet_id", file, None))
    page = id_ if alone else str(fact.get("url") or fact["snippet_id"])
    writer.document(page, str(fact.get("title", "")), str(fact.get("url", "")))
    writer.text(id_, page, str(field(fact, "fact", file, None)))
    return id_


def _write_picture(writer: BundleWriter, fact: dict[str, Any], file: Path, pictures: _Pictures, *, alone: bool) -> str:
    """Write a picture into the document of its page, or ``alone`` into one of its own; return its id."""
    number = field(fact, "image_id", file, None)
    id_ = picture_id(number)
    page = id_ if alone else str(fact.get("url") or f"image {number}")
    writer.document(page, str(fact.get("title", "")), str(fact.get("url", "")))
    texts = {"title": str(fact.get("title", "")), "caption": str(fact.get("caption", ""))}
    if not writer.has(id_):
        writer.image(id_, page, texts, pictures.of(number))
    return id_


def _question(guid: str, entry: dict[str, Any], file: Path) -> dict[str, Any]:
    gold = [[snippet_id(fact["snippet_id"])] for fact in entry.get("txt_posFacts", [])]
    gold += [[picture_id(fact["image_id"])] for fact in entry.get("img_posFacts", [])]
    answers = [unquoted(answer) for answer in entry.get("A", [])]
    category = str(entry.get("Qcate", "text"))
    return {
        "id": guid,
        "question": unquoted(str(field(entry, "Q", file, None))),
        "image": None,
        "answers": [answer for answer in answers if answer],
        "gold": gold,
        "hops": len(gold),
        "tags": {
            "category": category,
            "modality": "text" if category == "text" else "image",
            "keywords": unquoted(str(entry.get("Keywords_A", ""))),
            "topic": entry.get("topic", ""),
        },
    }


def snippet_id(written: str) -> str:
    """Return the component id of a snippet."""
    return f"snippet:{written}"


def picture_id(written: int | str) -> str:
    """Return the component id of a picture."""
    return f"image:{written}"


def unquoted(text: str) -> str:
    """Remove the quotation marks around questions and answers of the release."""
    return text.strip().removeprefix('"').removesuffix('"').strip()


class _Pictures:
    """Pixels: line n of imgs.tsv is ``image_id<tab>base64``; imgs.lineidx has the offset of each line."""

    def __init__(self, source: Path) -> None:
        self._file = source / "imgs.tsv"
        index = source / "imgs.lineidx"
        self._offsets: list[int] | None = None
        if self._file.is_file() and index.is_file():
            self._offsets = [int(line) for line in index.read_text().split()]

    def of(self, image_id: int | str) -> bytes | None:
        """Return the bytes of a picture, or None where the release was unpacked without pixels.

        As in the official reader, the last seven digits of the id (from 30000000 on) are the line number.
        """
        line = int(image_id) % 10_000_000
        if self._offsets is None or line >= len(self._offsets):
            return None
        with self._file.open("rb") as rows:
            rows.seek(self._offsets[line])
            named, _, encoded = rows.readline().partition(b"\t")
        if named.decode("ascii", "replace").strip() != str(image_id):
            raise FormatError(self._file, line + 1, f"holds the picture {named!r}, not {image_id!r}; the index is off")
        try:
            return base64.b64decode(encoded.strip(), validate=True)
        except binascii.Error:
            return None
