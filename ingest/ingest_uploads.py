"""Separate process that ingests uploads: ``-m backtrail.ingest.ingest_uploads CORPUS [DOCUMENTS]``.

``DOCUMENTS`` is the maximum number of documents. A hostile document can only harm this process, whose memory is
bounded. Progress is written as lines of JSON, ``{"stage": …, "done": …, "total": …}``, and at the end ``{"report": …}``
or ``{"error": …}``.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress

from backtrail.state.errors import BacktrailError
from backtrail.tools.home_errors import home_error
from backtrail.tools.uploads.files import pending_uploads, uploaded_files, uploads_folder, uploads_lock

MEMORY = "BACKTRAIL_INGEST_MEMORY"
MEMORY_GIB = 4.0
"""Default memory limit of an ingest of uploads (ours); a book of a thousand pages with pictures takes less than one."""

EVERY = 0.5
"""Seconds between two lines of the same stage (ours)."""


class Lines:
    """Progress that is written as lines."""

    def __init__(self) -> None:
        self._name, self._done = "", 0
        self._total: int | None = None
        self._said = 0.0

    def stage(self, name: str, total: int | None = None) -> None:
        """Start a stage."""
        self._name, self._done, self._total, self._said = name, 0, total, 0.0
        self._tell()

    def advance(self, count: int = 1) -> None:
        """Add finished items."""
        self._done += count
        self._tell()

    def _tell(self) -> None:
        if (now := time.monotonic()) - self._said >= EVERY:
            self._said = now
            say({"stage": self._name, "done": self._done, "total": self._total})


def say(line: dict[str, object]) -> None:
    """Write a line and flush it."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def bound_memory() -> None:
    """Limit the memory of this process, so that only an oversized ingest fails."""
    with suppress(ImportError):  # not available on Windows
        import resource

        most = int(float(os.environ.get(MEMORY, MEMORY_GIB)) * 2**30)
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def end_with(parent: int) -> None:
    """Exit when the server has died; whoever takes up its run ingests again."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(corpus: str, most: int | None = None) -> int:
    """Ingest as the command line does, write the report, and return the exit status."""
    from backtrail.ingest.pipeline import ingest
    from backtrail.ingest.uploaded_file_results import file_results
    from backtrail.tools.corpus.inventory import source_digests

    folder = uploads_folder(corpus)
    try:
        with uploads_lock():
            pending_uploads(corpus)  # deletes partial uploads of killed servers
        before = source_digests(corpus)
        report = ingest([folder], corpus, progress=Lines(), most=most)
        names = [file.name for file in uploaded_files(corpus)]
        files = file_results(str(folder), names, before, source_digests(corpus), report)
    except BacktrailError as error:
        say({"error": str(error)})
        return 1
    except MemoryError:
        say({"error": f"The files need more memory than {MEMORY} allows; upload them in smaller parts."})
        return 1
    except Exception as error:
        if (trouble := home_error(error)) is None:
            raise
        say({"error": str(trouble)})
        return 1
    left_out = [*report.failed, *report.skipped]  # whole files only
    problems = [{"source": os.path.basename(one.source), "reason": one.reason} for one in left_out[:100]]
    problems += [{"source": corpus, "reason": note} for note in (report.ocr_note, report.pages_note) if note]
    say({"report": {**report.counts(), "problems": problems, "files": files}})
    return 0


if __name__ == "__main__":
    bound_memory()
    end_with(os.getppid())
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else None))
