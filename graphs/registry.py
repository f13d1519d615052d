"""The methods by name. Each is a graph file that exports ``build``; imported only when it is asked for."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from backtrail.tools.errors import SettingsError

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from backtrail.state.settings import Settings
    from backtrail.tools.toolbox import Toolbox

METHODS: dict[str, str] = {
    "fif": "backtrail.graphs.fif:build",
    "cogplanner": "backtrail.graphs.cogplanner:build",
    "vqa_planner": "backtrail.graphs.vqa_planner:build",
    "hm_rag": "backtrail.graphs.hm_rag:build",
    "mmapg": "backtrail.graphs.mmapg:build",
    "dense": "backtrail.graphs.dense:build",
    "bm25": "backtrail.graphs.bm25:build",
    "hybrid": "backtrail.graphs.hybrid:build",
    "dense_multimodal": "backtrail.graphs.dense_multimodal:build",
    "lilac": "backtrail.graphs.lilac:build",
    "ircot": "backtrail.graphs.ircot:build",
    "model_alone": "backtrail.graphs.model_alone:build",
    "fixed_text": "backtrail.graphs.fixed_text:build",
    "fixed_image": "backtrail.graphs.fixed_image:build",
    "self_rag": "backtrail.graphs.self_rag:build",
    "omnisearch": "backtrail.graphs.omnisearch:build",
}


SEARCHING = frozenset(
    {"cogplanner", "vqa_planner", "omnisearch", "model_alone", "fixed_text", "fixed_image", "self_rag"}
)
"""Methods that reach what they read by ``Toolbox.searches`` alone: on the web they need no corpus."""


def needs_corpus(method: str, settings: Settings) -> bool:
    """Whether a run reads an ingested corpus; checked before it begins."""
    return method not in SEARCHING or settings.web.provider == "corpus"


def method_names() -> list[str]:
    """Methods whose graph file is installed."""
    return [name for name, path in METHODS.items() if importlib.util.find_spec(path.partition(":")[0])]


def builder(method: str) -> Callable[[Toolbox], StateGraph[Any, Any, Any, Any]]:
    """The ``build`` function of a method.

    Raises:
        SettingsError: no such method; lists those that exist.
    """
    if method not in method_names():
        raise SettingsError(f"There is no method {method!r}. These exist: {', '.join(method_names())}.")
    module, _, name = METHODS[method].partition(":")
    return getattr(importlib.import_module(module), name)
