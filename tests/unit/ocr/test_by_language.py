"""Pictures are read in the language of the document they stand in, as far as Tesseract has it, and once."""

from pathlib import Path

import pytest
from fixtures.ocr import WrittenOcr, install_program, written

from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.picture_words import PictureReader
from backtrail.state.component import Component, Document
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.ocr.by_language import OcrByLanguage, languages_for
from backtrail.tools.ocr.cache import CachingOcr
from backtrail.tools.ocr.errors import OcrFailed
from backtrail.tools.ocr.open import default_ocr, open_ocr

GERMAN = "Die Brücke wurde von einem Baumeister aus der Stadt errichtet und ist noch heute die längste von allen."
ENGLISH = "The bridge was built by an engineer from the town and is the longest of all of them to this day."


@pytest.mark.parametrize(
    ("language", "installed", "expected"),
    [
        ("de", ["deu", "eng"], "deu+eng"),
        ("de", ["eng", "fra"], "eng"),
        ("de", ["deu"], "deu"),
    ],
)
def test_the_documents_own_language_comes_before_english(language, installed, expected):
    assert languages_for(language, installed) == expected


async def test_each_document_is_read_in_its_language():
    asked: dict[str, WrittenOcr] = {}

    def opened(languages: str) -> WrittenOcr:
        return asked.setdefault(languages, WrittenOcr({b"one": "eins", b"two": "two"}))

    reader = PictureReader(OcrByLanguage("auto:1", ["deu", "eng"], opened))
    pages = [page("de", GERMAN, {"1": b"one"}), page("en", ENGLISH, {"2": b"two"})]
    words = await reader.read(pages, Silent())
    assert {key: one.words for key, one in words.items()} == {"1": "eins", "2": "two"}
    assert {languages: ocr.read_pictures for languages, ocr in asked.items()} == {"deu+eng": [b"one"], "eng": [b"two"]}


def page(id_: str, text: str, blobs: dict[str, Path | bytes]) -> ParsedDocument:
    component = Component(id=f"{id_}#0", document=id_, position=0, modality="text", text=text)
    document = Document(id=id_, title="", summary=text)
    return ParsedDocument(document=document, components=[component], content_hash="", blobs=blobs)


@pytest.mark.parametrize(("languages", "name"), [("eng\nosd", "tesseract:eng"), ("deu\neng", "tesseract:auto")])
def test_a_new_corpus_reads_in_all_installed_languages(tmp_path, monkeypatch, languages, name):
    listed = f"List of available languages in here (2):\\n{languages}".replace("\n", "\\n")
    body = f"import sys\nprint('tesseract 5.3.0' if '--version' in sys.argv else '{listed}')\n"
    install_program(tmp_path / "bin", monkeypatch, body)
    assert default_ocr() == name
    assert open_ocr(name).name == name


def test_other_ocr_reads_anew_and_failures_are_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(OcrFailed):
        CachingOcr(WrittenOcr({b"map": None}), tmp_path).read(b"map")
    assert CachingOcr(WrittenOcr({b"map": "Lindav"}), tmp_path).read(b"map") == (written("Lindav"),)
    assert CachingOcr(WrittenOcr({b"map": "Lindau"}, "written:2"), tmp_path).read(b"map") == (written("Lindau"),)
