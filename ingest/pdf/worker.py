"""The process in which PDF files are read: what a hostile file does to pdfium ends it, and not the ingest.

Started as ``python -m backtrail.ingest.pdf.worker IN OUT`` with the numbers of two open pipes. Takes jobs (path,
document id, pages to leave out) and answers each with the numbers of the pages it enters, then with a ``Reading``,
or the error that it raised. Ends when the pipe is closed.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from backtrail.ingest.pdf.reading import read_file

PAGE_SECONDS = 60
"""For one page, or for opening a file; measured: 9 s for the slowest of 1,100 odd files and of the hostile ones."""

SECONDS_VARIABLE = "BACKTRAIL_PDF_PAGE_SECONDS"
"""Environment variable that sets it otherwise, in whole seconds."""

MEMORY = 4 * 2**30
"""Bytes of the process."""


def main() -> None:
    """Serve jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it decides
    with suppress(ValueError, OSError):  # not every system can
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    jobs, answers = Connection(int(sys.argv[1]), writable=False), Connection(int(sys.argv[2]), readable=False)

    given = os.environ.get(SECONDS_VARIABLE, "")
    seconds = int(given) if given.isdecimal() and 0 < int(given) < 100_000 else PAGE_SECONDS

    def entered(page: int) -> None:
        signal.alarm(seconds)  # its default ends the process, even within pdfium
        answers.send(page)

    while True:
        try:
            path, document_id, left_out = jobs.recv()
        except EOFError:
            return
        entered(0)
        try:
            answer = read_file(path, document_id, left_out, entered)
        except Exception as error:  # noqa: BLE001 - raised again where the job came from
            answer = error
        signal.alarm(0)
        answers.send(answer)


if __name__ == "__main__":
    main()
