"""The packages of Lance and Arrow, imported where they are used."""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any

from backtrail.tools.errors import DependencyMissing


def open_lance() -> Any:
    """The package ``lance``.

    Raises:
        DependencyMissing: it is not installed.
    """
    os.environ.setdefault("LANCE_LOG", "error")
    # It warns at each fork of a process. Those that are forked here use no Lance.
    warnings.filterwarnings("ignore", message="lance is not fork-safe")
    try:
        return importlib.import_module("lance")
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or "lance", "scale") from error


def open_arrow() -> Any:
    """The package ``pyarrow``; DependencyMissing as above."""
    try:
        return importlib.import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise DependencyMissing("pyarrow", "scale") from error
