"""Import a LangChain document loader by name and construct it from JSON arguments."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import warnings

from langchain_core.document_loaders import BaseLoader

from backtrail.ingest.loaders.errors import LoaderUnusable
from backtrail.tools.access.serving import serving

ALLOWED = "BACKTRAIL_LOADERS"


def open_loader(name: str, arguments: str = "") -> BaseLoader:
    """Construct the loader ``MODULE:CLASS`` with keyword arguments from a JSON object.

    Importing a module runs its code. If ``BACKTRAIL_LOADERS`` is set, only the loaders in its comma-separated list are
    imported; on a server without it, none are.

    Raises:
        LoaderUnusable: the name is not allowed, cannot be imported, is no loader, or rejects the arguments.
    """
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise LoaderUnusable(name, "use the form MODULE:CLASS, e.g. langchain_community.document_loaders:CSVLoader")
    _check_allowed(name)
    keywords = _keywords(name, arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # langchain-community warns on import
            found = getattr(importlib.import_module(module), attribute)
            if not (isinstance(found, type) and issubclass(found, BaseLoader)):
                raise LoaderUnusable(name, "it is no subclass of langchain_core.document_loaders.BaseLoader")
            return found(**keywords)
    except (ImportError, AttributeError) as error:
        raise LoaderUnusable(name, f"it cannot be imported ({error}). Install its package") from error
    except (TypeError, ValueError, OSError) as error:
        raise LoaderUnusable(name, f"it rejects --loader-args {arguments or '{}'}: {error}") from error


def name_of_loader(name: str, arguments: str = "") -> str:
    """Return a folder name for a loader and its arguments, so that the same call replaces its documents."""
    digest = hashlib.sha256(f"{name}\n{json.dumps(_keywords(name, arguments), sort_keys=True)}".encode())
    return f"{name.rpartition(':')[2]}-{digest.hexdigest()[:8]}"


def _check_allowed(name: str) -> None:
    listed = os.environ.get(ALLOWED)
    allowed = {one.strip() for one in (listed or "").split(",")} - {""}
    if name not in allowed and (listed is not None or serving()):
        raise LoaderUnusable(name, f"{ALLOWED} does not list it. The host of this machine can add it there")


def _keywords(name: str, arguments: str) -> dict[str, object]:
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise LoaderUnusable(name, f"--loader-args is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise LoaderUnusable(name, f"--loader-args must be a JSON object, not a {type(value).__name__}")
    return value
