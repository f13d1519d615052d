"""Errors for the operator: each says what was wrong with which value, and what to do.

BacktrailError
├── InputRefused             a caller's input is empty, too long or unknown (state/errors.py; a ValueError)
├── ValueTooLarge            a value of JSON, TOML or YAML beyond its limits (tools/untrusted_values.py; a ValueError)
├── SettingsError            a setting, option or name that cannot be used
├── HomeUnusable             the folder of corpora and runs cannot be made, read or written, or the disk is full
│   └── StoredFileDamaged    one of its SQLite files is damaged (names it)
├── DependencyMissing        an optional package is not installed (names the extra)
│   └── TesseractMissing     the OCR program is not installed (tools/ocr/errors.py)
├── OcrError                 words in pictures could not be read (tools/ocr/errors.py)
├── LibraryCrashed           native code of a library panicked (tools/crashes.py)
├── CheckpointUnreadable     a checkpoint is damaged or implausibly large
├── CorpusError              everything about a stored corpus (tools/corpus/errors.py)
├── IngestError              a source file that cannot be read (ingest/errors.py)
├── SearchError              a search of the web that failed (tools/web/errors.py)
├── EngineError              work that cannot be done on Ray (tools/workers/errors.py)
├── EmbedderError            an embedder that cannot be opened or used (tools/embedders/errors.py)
├── PromptError              a prompt file that does not fit its inputs (prompts/)
├── ModelError               a model that cannot be reached, refuses or runs out of its limits
│   ├── ModelUnavailable     transient: time-out, 429, 5xx, connection (worth another try)
│   ├── ModelRejected        permanent: 400, 401, 403, 404 (another try cannot help)
│   ├── ModelRefused         the model declined to answer
│   └── LocalModelError      a checkpoint that cannot be loaded or used (tools/local/errors.py; a ModelRejected)
├── DecisionFailed           (tools/deciders/protocol.py) no valid output for a decision after the last attempt
└── BudgetExhausted          (tools/deciders/protocol.py) the next call of a decision does not fit the budget
"""

from __future__ import annotations

from pathlib import Path

from backtrail.state.errors import BacktrailError
from backtrail.state.usage import Charge
from backtrail.tools.installation import install_command

__all__ = [
    "BacktrailError",
    "CheckpointUnreadable",
    "DependencyMissing",
    "HomeUnusable",
    "LibraryCrashed",
    "ModelError",
    "ModelRefused",
    "ModelRejected",
    "ModelUnavailable",
    "SettingsError",
    "StoredFileDamaged",
]


class SettingsError(BacktrailError):
    """A setting, option or name that cannot be used; the message lists what exists."""


class HomeUnusable(BacktrailError):
    """The home cannot be made, read or written, or its disk is full."""

    def __init__(self, home: str, problem: str, advice: str) -> None:
        super().__init__(f"Backtrail keeps corpora and runs in {home}, and {problem}. {advice}")
        self.home = home


class StoredFileDamaged(HomeUnusable):
    """A SQLite file of the home is damaged.

    Args:
        problem: what is wrong with it; it follows a colon.
        remedy: what to do about it, as a sentence.
    """

    def __init__(self, file: Path, problem: str, remedy: str) -> None:
        super().__init__(str(file.parent), f"its file {file} is damaged: {problem}", remedy)
        self.file = file


class LibraryCrashed(BacktrailError):
    """Native code of a library panicked; the panic, a BaseException of PyO3, is the cause."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(
            f"A library crashed ({type(error).__name__}: {str(error)[:300]}). Resume the run; if it crashes again, "
            "update Backtrail's packages."
        )


class CheckpointUnreadable(BacktrailError):
    """A checkpoint is damaged or implausibly large. Earlier ones may be readable: fork at one."""


class DependencyMissing(BacktrailError):
    """An optional package is absent.

    Args:
        package: the import that failed, e.g. ``torch``.
        extra: the extra of Backtrail that installs it, e.g. ``local``.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"The package {package!r} is not installed. Install it with: {install_command(extra)}")
        self.package = package
        self.extra = extra


class ModelError(BacktrailError):
    """A model could not be used. ``charge`` holds what the attempts cost."""

    charge: Charge | None = None


class ModelUnavailable(ModelError):
    """Transient: a time-out, a lost connection, 429 or 5xx, after the last retry."""


class ModelRejected(ModelError):
    """Permanent: the server rejected the request (400, 401, 403, 404), with the HTTP ``status`` if any."""

    status: int | None = None


class ModelRefused(ModelError):
    """The model declined to answer this request."""
