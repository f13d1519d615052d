"""Errors of optical character recognition.

DependencyMissing
└── TesseractMissing    the program is not installed
OcrError
├── OcrUnusable         the program is installed and does not work
└── OcrFailed           one picture could not be read; says why
"""

from __future__ import annotations

from backtrail.tools.errors import BacktrailError, DependencyMissing


class TesseractMissing(DependencyMissing):
    """The program ``tesseract`` is not on the path. It is not a Python package, so no extra installs it.

    Args:
        also: a sentence about what needs it, and the alternatives.
    """

    def __init__(self, also: str = "") -> None:
        BacktrailError.__init__(
            self,
            "The program 'tesseract', which reads words in pictures, is not installed. Install it with: "
            f"apt-get install tesseract-ocr (Debian, Ubuntu) or brew install tesseract (macOS). {also}".rstrip(),
        )
        self.package = "tesseract"
        self.extra = ""


class OcrError(BacktrailError):
    """Words in pictures could not be read."""


class OcrUnusable(OcrError):
    """The program is installed and does not give its version or languages."""

    def __init__(self, program: str, problem: str) -> None:
        super().__init__(f"{program} does not work: {problem.rstrip('.')}. Install it again, or use --no-ocr.")


class OcrFailed(OcrError):
    """One picture could not be read."""
