"""The program behind OCR: missing, broken, slow, or without the language that was asked for."""

import io
import sys
from pathlib import Path

import pytest
from fixtures.ocr import install_program, without_programs
from PIL import Image

from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.ocr.errors import OcrFailed, OcrUnusable, TesseractMissing
from backtrail.tools.ocr.lines import joined
from backtrail.tools.ocr.open import open_ocr
from backtrail.tools.ocr.tesseract import installed_tesseract, open_tesseract

ANSWERS = """
import os, sys, time
if sys.argv[1] == "--version":
    print("tesseract 5.9.1\\n leptonica-1.82.0")
elif sys.argv[1] == "--list-langs":
    print('List of available languages in "/tessdata/" (3):\\ndeu\\neng\\nosd')
else:
    {read}
"""
READS_NAMES = """
    names = "level page_num block_num par_num line_num word_num left top width height conf text".split()
    words = [sys.argv[sys.argv.index("-l") + 1], os.environ["OMP_THREAD_LIMIT"] + "thread"]
    print("\\t".join(names))
    for place, word in enumerate(words):
        print("\\t".join(["5", "1", str(place), "1", "1", "1", str(100 * place), "0", "50", "20", "96", word]))
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, read: str) -> None:
    install_program(folder, monkeypatch, ANSWERS.format(read=read.strip()))


@pytest.fixture
def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(stream, "PNG")
    return stream.getvalue()


def test_the_program_is_asked_in_the_languages_and_on_one_thread(tmp_path, monkeypatch, picture):
    install(tmp_path, monkeypatch, READS_NAMES)
    ocr = open_tesseract("deu+eng")
    assert (ocr.name, ocr.fingerprint) == ("tesseract:deu+eng", "tesseract-5.9.1:deu+eng:r2")
    assert joined(ocr.read(picture)) == "deu+eng; 1thread"
    assert installed_tesseract() == ("5.9.1", ["deu", "eng"])


def test_without_the_program_it_is_said_what_to_install(tmp_path, monkeypatch):
    without_programs(tmp_path, monkeypatch)
    with pytest.raises(DependencyMissing, match=r"apt-get install tesseract-ocr .* brew install tesseract"):
        open_tesseract()
    with pytest.raises(TesseractMissing):
        installed_tesseract()
    with pytest.raises(SettingsError, match="no OCR 'magic:eng'"):
        open_ocr("magic:eng")


@pytest.mark.parametrize("asked", ["fra", "eng+fra", "", "eng+", "../eng"])
def test_an_unknown_language_lists_those_that_are_installed(asked, tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, "pass")
    with pytest.raises(SettingsError, match=r"installed are: deu, eng\. .*apt-get install tesseract-ocr-NAME"):
        open_tesseract(asked)


def test_a_program_that_fails_or_hangs_fails_the_picture_only(tmp_path, monkeypatch, picture):
    install(tmp_path, monkeypatch, "sys.exit('Error opening data file eng.traineddata')")
    with pytest.raises(OcrFailed, match="Error opening data file"):
        open_tesseract().read(picture)
    install(tmp_path, monkeypatch, "time.sleep(600)")
    monkeypatch.setattr("backtrail.tools.ocr.tesseract.TIME_LIMIT", 0.5)
    with pytest.raises(OcrFailed, match="took more than"):
        open_tesseract().read(picture)
    if sys.platform == "linux":  # which alone limits the processor of a program that runs
        monkeypatch.undo()
        install(tmp_path, monkeypatch, "while True: pass")
        monkeypatch.setattr("backtrail.tools.ocr.tesseract.PROCESSOR_LIMIT", 1)
        with pytest.raises(OcrFailed, match="more than 1 processor seconds"):
            open_tesseract().read(picture)


def test_a_program_that_does_not_work_is_no_missing_one(tmp_path, monkeypatch):
    install_program(tmp_path, monkeypatch, "import sys; sys.exit('error while loading shared libraries')")
    with pytest.raises(OcrUnusable, match=r"error while loading shared libraries\. Install it again"):
        open_tesseract()
    install_program(tmp_path, monkeypatch, "print('hello')")
    with pytest.raises(OcrUnusable, match="does not report its version"):
        open_tesseract()
