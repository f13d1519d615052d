"""Whether an ingest reads the words in pictures, and in which languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from backtrail.tools.ocr.protocol import Ocr


def chosen_ocr(wanted: bool | None, languages: str | None, corpus: str, *, knowledge_graph: bool) -> Ocr | None:
    """The OCR of an ingest, or None.

    Unless it is asked for or refused, a corpus keeps to what it was made with: what is in it must not change because
    a program was installed meanwhile. A new one has OCR only with a knowledge graph, and if it is installed.

    Args:
        wanted: ``--ocr`` or ``--no-ocr``; None where neither is given.
        languages: of the words, joined by '+'; None takes the corpus's own, for a new one English.
        knowledge_graph: whether the corpus is read into its graph.

    Raises:
        SettingsError: languages without OCR, or one that is not installed.
        TesseractMissing, OcrUnusable: the program is wanted and cannot be used.
    """
    from backtrail.tools.ocr.errors import TesseractMissing
    from backtrail.tools.ocr.open import open_ocr, recorded_ocr
    from backtrail.tools.ocr.tesseract import DEFAULT_LANGUAGES

    recorded = recorded_ocr(corpus)
    if_installed = wanted is None and recorded is None and knowledge_graph and languages is None
    if wanted is False or not (wanted or recorded or if_installed):
        if languages is not None:
            raise SettingsError("--ocr-language names the languages of words in pictures; give --ocr as well.")
        return None
    name = f"tesseract:{languages}" if languages else recorded or f"tesseract:{DEFAULT_LANGUAGES}"
    try:
        return open_ocr(name)
    except TesseractMissing as error:
        if if_installed:
            return None
        if recorded and not wanted:
            also = f"Corpus {corpus!r} was made with it; --no-ocr stores its pictures without their words."
            raise TesseractMissing(also) from error
        raise
