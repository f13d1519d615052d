"""What a method is beside its graph: one record, read by the command line, evaluations, the server and the docs."""

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
        about: what it does, in one line for lists.
        paper: title, with authors and year where the title does not say whose it is; empty for what needs none.
        page: its page in ``docs/methods``.
        searches: "web" if it reaches what it reads by ``Toolbox.searches`` alone, so that on the web it needs no
            corpus; else "corpus".
        records: keys of its state whose records are shown and evaluated, in the order in which they are shown.
        steps: how its history is counted, which is what ``budget.steps`` bounds; None where nothing is counted.
        planners: nodes that take the decisions of a planning expert, whose spending evaluations report by itself.
        settings: the field of ``Settings`` that holds its parameters; empty if it has none.
        sections: fields of ``Settings`` with parameters that it reads beside its own.
        variants: what its variants differ in; None while they are the same graph.
        module: where ``build`` and ``graph`` are, for a method of another package.
        rules: which rule takes which decision of its own without a model, for a method of another package.
        prompts: the folder with the prompt of each decision of its own, for a method of another package.
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
        """Where a server finds the compiled graph."""
        return f"{self._module}:graph"

    def build(self, toolbox: Toolbox) -> StateGraph[Any, Any, Any, Any]:
        """The graph. Its graph file is imported only now."""
        return importlib.import_module(self._module).build(toolbox)

    @property
    def _module(self) -> str:
        return self.module or f"backtrail.graphs.{self.name}"

    def needs_corpus(self, settings: Settings) -> bool:
        """Whether a run reads an ingested corpus; checked before it begins."""
        return self.searches == "corpus" or settings.web.provider == "corpus"

    def steps_taken(self, values: Mapping[str, Any]) -> int:
        """How many steps a run with these values has a record of."""
        return len(self.steps.taken(values)) if self.steps else 0
