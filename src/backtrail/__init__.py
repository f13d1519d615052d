"""Agentic multimodal retrieval-augmented generation as LangGraph state machines.

    corpus = backtrail.Corpus.from_folder("documents")
    answer = corpus.ask("Who built the lander?")
    print(answer.text, answer.citations)

Names are imported when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrail.api.answer import Answer, Citation, Trace
    from backtrail.api.comparison import Comparison, compare
    from backtrail.api.corpus import Corpus
    from backtrail.api.stream import Event, HumanInputNeeded
    from backtrail.state.errors import BacktrailError

    __version__: str

__all__ = [
    "Answer", "BacktrailError", "Citation", "Comparison", "Corpus", "Event", "HumanInputNeeded", "Trace", "__version__",
    "compare",
]  # fmt: skip

_MODULES = {
    "Answer": "backtrail.api.answer",
    "BacktrailError": "backtrail.state.errors",
    "Citation": "backtrail.api.answer",
    "Comparison": "backtrail.api.comparison",
    "Corpus": "backtrail.api.corpus",
    "Event": "backtrail.api.stream",
    "HumanInputNeeded": "backtrail.api.stream",
    "Trace": "backtrail.api.answer",
    "compare": "backtrail.api.comparison",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("backtrail")
    if name not in _MODULES:
        raise AttributeError(f"module 'backtrail' has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
