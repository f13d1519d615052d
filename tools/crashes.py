"""Convert panics of native libraries, which PyO3 raises as BaseException, to errors."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from backtrail.tools.errors import LibraryCrashed

_NO_CRASH = (Exception, asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit)


@contextmanager
def crashes_as_errors() -> Iterator[None]:
    """Raise ``LibraryCrashed`` instead of a panic, which would end threads, tasks and servers.

    Raises:
        LibraryCrashed: a library panicked; the panic is its cause.
    """
    try:
        yield
    except _NO_CRASH:
        raise
    except BaseException as error:
        raise LibraryCrashed(error) from error
