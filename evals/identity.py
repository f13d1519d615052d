"""Identity of an evaluation run: only runs of the same identity continue each other's results."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from backtrail.prompts.own_prompts import own_prompts
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName
from backtrail.tools.home import home

_BEHAVIOUR = ("state", "language", "rules", "prompts", "nodes", "graphs")


@dataclass(frozen=True)
class Identity:
    """A method with its settings on a version of a corpus.

    ``code`` is a hash of the sources that decide how a method behaves, so that results from before and after an edit
    are not mixed.
    """

    task: str
    method: str
    variant: VariantName
    settings: dict[str, Any]
    corpus_version: str
    package_version: str
    code: str

    @property
    def folder(self) -> Path:
        """Folder of the results."""
        return home() / "results" / self.task / self.method / self.key

    @property
    def key(self) -> str:
        """Short hash of all fields."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def identity(task: str, method: str, settings: Settings, corpus_version: str) -> Identity:
    """Return the identity of a run with the installed code."""
    return Identity(
        task=task,
        method=method,
        variant=settings.variant,
        settings=settings.model_dump(mode="json"),
        corpus_version=corpus_version,
        package_version=importlib.metadata.version("backtrail"),
        code=behaviour(),
    )


@cache
def behaviour() -> str:
    """Return a hash of the sources that decide how a method behaves."""
    digest = hashlib.sha256()
    for room in _BEHAVIOUR:
        for root in importlib.import_module(f"backtrail.{room}").__path__:
            for file in sorted(path for path in Path(root).rglob("*") if path.suffix in (".py", ".md")):
                digest.update(f"{room}/{file.relative_to(root)}\n".encode() + file.read_bytes())
    for name, file in own_prompts().items():
        digest.update(f"own prompt {name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]
