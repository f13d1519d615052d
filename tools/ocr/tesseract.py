"""OCR by the program Tesseract: nothing is downloaded, nothing leaves the machine.

It is called directly, as wrappers cannot limit it to one thread; with more, concurrent readings take twice as long
(measured on two cores).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from backtrail.tools.errors import SettingsError
from backtrail.tools.ocr.errors import OcrFailed, OcrUnusable, TesseractMissing
from backtrail.tools.ocr.lines import Line, lines_of, merged
from backtrail.tools.ocr.page import as_page

DEFAULT_LANGUAGES = "eng"
PROCESSOR_LIMIT = 60
"""Processor seconds for one pass over a picture; a page full of print takes a few. Independent of the machine's load,
so that a busy machine loses no words. Ours."""

TIME_LIMIT = 600.0
"""Seconds for one picture, whatever the machine's load. Ours."""

READING = 2
"""Raise it when the same picture gives other lines: every picture is then read again."""

_LAYOUT, _SCATTERED = "3", "11"
"""Page segmentation modes: the first keeps columns and rows together, the second finds isolated labels."""

_NO_LANGUAGES = ("osd", "equ")  # orientation and formulas, installed like languages
_START_LIMIT = 20.0  # seconds to report a version
_OUT_OF_TIME = (-24, -9)  # SIGXCPU and SIGKILL, which end a program at its processor limit


class Tesseract:
    """Implements ``Ocr``. Get one from ``open_tesseract``."""

    def __init__(self, program: str, version: str, languages: str) -> None:
        self.name = f"tesseract:{languages}"
        self.fingerprint = f"tesseract-{version}:{languages}:r{READING}"
        self._program = program
        self._languages = languages

    def read(self, picture: bytes) -> tuple[Line, ...]:
        """As ``Ocr.read``. Two passes: lines and paragraphs, then the labels that the first one misses."""
        page = as_page(picture)
        if page is None:
            return ()
        ends = time.monotonic() + TIME_LIMIT
        lines = lines_of(self._table(page.png, _LAYOUT, ends))
        found = merged(lines, lines_of(self._table(page.png, _SCATTERED, ends)))
        return tuple(line.enlarged(1 / page.factor) for line in found)

    def recall(self, picture: bytes) -> tuple[Line, ...] | None:
        """As ``Ocr.recall``: there is no cache."""

    def _table(self, page: bytes, mode: str, ends: float) -> str:
        """Return Tesseract's result for a page, a tab-separated table."""
        command = [self._program, "stdin", "stdout", "-l", self._languages, "--psm", mode, "--dpi", "300", "tsv"]
        try:
            done = _call(command, page, max(0.0, ends - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise OcrFailed(f"reading it took more than {TIME_LIMIT:.0f} seconds") from error
        except OSError as error:
            raise OcrFailed(f"{self._program} could not be started ({error.strerror})") from error
        if done.returncode in _OUT_OF_TIME:
            raise OcrFailed(f"reading it took more than {PROCESSOR_LIMIT} processor seconds")
        if done.returncode:
            raise OcrFailed(f"{self._program} failed: {_complaint(done)}")
        return done.stdout.decode("utf-8", "replace")


def open_tesseract(languages: str = DEFAULT_LANGUAGES) -> Tesseract:
    """Open Tesseract for languages, the most important first: ``eng``, ``deu+eng``.

    Raises:
        TesseractMissing, OcrUnusable: see ``installed_tesseract``.
        SettingsError: a language is not installed; lists those that are.
    """
    version, known = installed_tesseract()
    for language in languages.split("+"):
        if language not in known:
            raise SettingsError(
                f"Tesseract has no language {language!r}; installed are: {', '.join(known) or 'none'}. "
                "Join several by '+'. Install one with: apt-get install tesseract-ocr-NAME (Debian, Ubuntu), "
                "all with: brew install tesseract-lang (macOS)."
            )
    return Tesseract(_program(), version, languages)


class _Installed(NamedTuple):
    """What the program reports, the folder of its languages, and when either last changed."""

    version: str
    languages: list[str]
    folder: Path
    changed: tuple[int, ...]


_installed: dict[str, _Installed] = {}


def installed_tesseract() -> tuple[str, list[str]]:
    """Return version and languages of the installed Tesseract.

    The program is asked again after it or the folder of its languages has changed.

    Raises:
        TesseractMissing, OcrUnusable: the program is not installed, or it is and does not work.
    """
    program = _program()
    held = _installed.get(program)
    if held is None or held.changed != _changed(program, held.folder):
        held = _installed[program] = _ask(program)
    return held.version, list(held.languages)


def _ask(program: str) -> _Installed:
    version = re.match(r"tesseract\s+(\S+)", _answer(program, "--version"))
    if version is None:
        raise OcrUnusable(program, "it does not report its version")
    heading, *lines = _answer(program, "--list-langs").splitlines() or [""]
    languages = sorted({line.strip() for line in lines if line.strip()} - set(_NO_LANGUAGES))
    quoted = re.search(r'"(.+)"', heading)
    folder = Path(quoted[1] if quoted else program)
    return _Installed(version[1], languages, folder, _changed(program, folder))


def _changed(program: str, folder: Path) -> tuple[int, ...]:
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in (Path(program), folder))


def _program() -> str:
    program = shutil.which("tesseract")
    if program is None:
        raise TesseractMissing
    return program


def _answer(program: str, question: str) -> str:
    try:
        done = _call([program, question], b"", _START_LIMIT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise OcrUnusable(program, str(error)) from error
    if done.returncode:
        raise OcrUnusable(program, _complaint(done))
    return done.stdout.decode("utf-8", "replace")


def _call(command: list[str], page: bytes, seconds: float) -> subprocess.CompletedProcess[bytes]:
    one_thread = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=one_thread, stdin=pipe, stdout=pipe, stderr=pipe) as program:
        try:
            _limit_processor(program.pid)
            out, errors = program.communicate(page, timeout=seconds)
        except BaseException:
            program.kill()
            raise
        return subprocess.CompletedProcess(command, program.returncode, out, errors)


def _limit_processor(pid: int) -> None:
    if sys.platform == "linux":  # elsewhere a running program cannot be limited, only timed out
        import resource

        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_CPU, (PROCESSOR_LIMIT, PROCESSOR_LIMIT + 1))


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    message = " ".join(done.stderr.decode("utf-8", "replace").split())
    return message[-300:] or f"exit status {done.returncode}"
