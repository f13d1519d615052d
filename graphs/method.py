"""The record of a method beside its graph, for the command line, evaluations, the server and the docs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from backtrail.graphs.steps import Steps
from backtrail.rules.rule import Rule, Rules
from backtrail.state.variant import Variants

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from backtrail.state.settings import Settings
    from backtrail.tools.toolbox import Toolbox


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method.

    Args:
        name: its name everywhere; the graph file is ``graphs/<name>.py``.
        about: one line for lists.
        paper: title, with authors and year where the title is ambiguous; empty if there is none.
        page: its page in ``docs/methods``.
        searches: "web" if it searches only through ``Toolbox.searches``, so that on the web it needs no corpus; else
            "corpus".
        records: keys of its state whose records are shown and evaluated, in display order.
        steps: how it counts steps, which ``budget.steps`` bounds; None if it counts none.
        planners: nodes with the decisions of a planning expert, whose usage evaluations report separately.
        settings: the field of ``Settings`` with its parameters; empty if it has none.
        sections: other fields of ``Settings`` that it reads.
        variants: the differences of its variants; None if they are the same graph.
        module: where ``build`` and ``graph`` are, for a method of another package.
        rules: the rules of its own decisions, for a method of another package.
        prompts: the folder with the prompts of its own decisions, for a method of another package.
    """

    name: str
    about: str
    page: str
    paper: str = ""
    searches: Literal["corpus", "web"] = "corpus"
    records: tuple[str, ...] = ()
    steps: Steps | None = None
    planners: frozenset[str] = frozenset()
    settings: str = ""
    sections: tuple[str, ...] = ()
    variants: Variants[Any] | None = None
    module: str = ""
    rules: Rules = field(default_factory=dict[str, Rule])
    prompts: Path | None = None

    @property
    def graph(self) -> str:
        """Import path of the compiled graph, for a server."""
        return f"{self._module}:graph"

    @property
    def description(self) -> str:
        """``about`` as a sentence."""
        return f"{self.about[:1].upper()}{self.about[1:]}."

    def build(self, toolbox: Toolbox) -> StateGraph[Any, Any, Any, Any]:
        """Build the graph; its graph file is imported only now."""
        return importlib.import_module(self._module).build(toolbox)

    @property
    def _module(self) -> str:
        return self.module or f"backtrail.graphs.{self.name}"

    def needs_corpus(self, settings: Settings) -> bool:
        """Return whether a run reads an ingested corpus; checked before it begins."""
        return self.searches == "corpus" or settings.web.provider == "corpus"

    def steps_taken(self, values: Mapping[str, Any]) -> int:
        """Count the recorded steps of a run's state."""
        return len(self.steps.taken(values)) if self.steps else 0
