"""Panics of native libraries as errors: PyO3 raises them as a BaseException, which no ``except Exception`` sees."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from backtrail.tools.errors import LibraryCrashed

_NO_CRASH = (Exception, asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit)


@contextmanager
def crashes_as_errors() -> Iterator[None]:
    """Raise ``LibraryCrashed`` in place of a panic, for threads, tasks and servers that end with any other kind.

    Raises:
        LibraryCrashed: a library panicked; the panic is its cause.
    """
    try:
        yield
    except _NO_CRASH:
        raise
    except BaseException as error:
        raise LibraryCrashed(error) from error
