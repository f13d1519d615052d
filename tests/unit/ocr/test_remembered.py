"""A picture is read once, whatever happens to the process; a failure is no reading."""

from pathlib import Path

import pytest
from fixtures.ocr import WrittenOcr, written

from backtrail.tools.ocr.cache import CachingOcr
from backtrail.tools.ocr.errors import OcrFailed


def test_other_ocr_reads_anew_and_failures_are_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(OcrFailed):
        CachingOcr(WrittenOcr({b"map": None}), tmp_path).read(b"map")
    assert CachingOcr(WrittenOcr({b"map": "Lindav"}), tmp_path).read(b"map") == (written("Lindav"),)
    assert CachingOcr(WrittenOcr({b"map": "Lindau"}, "written:2"), tmp_path).read(b"map") == (written("Lindau"),)
