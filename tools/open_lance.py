"""Import the packages of Lance and Arrow on first use."""

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
    # lance warns at each fork; processes that are forked here do not use it
    warnings.filterwarnings("ignore", message="lance is not fork-safe")
    try:
        return importlib.import_module("lance")
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or "lance", "scale") from error


def open_arrow() -> Any:
    """The package ``pyarrow``; raises DependencyMissing as ``open_lance`` does."""
    try:
        return importlib.import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise DependencyMissing("pyarrow", "scale") from error
