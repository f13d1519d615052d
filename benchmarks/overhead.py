"""Measure the time of FiF's orchestration per super-step, against a bare LangGraph loop.

    python benchmarks/overhead.py [--hops 10] [--repeat 7]

The corpus and the decider return at once, so that only our nodes, LangGraph and the checkpointer take time. The floor
is a loop of one node that writes the same state in the same number of super-steps to the same kind of SQLite file.
Aim: a ratio of at most 2.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import operator
import statistics
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from backtrail.graphs import fif
from backtrail.state.answer_decisions import CitedPiece, Reading
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.component import Component, Document, Link, Subcomponent
from backtrail.state.decision import Decision
from backtrail.state.decompose_decisions import Plan, PlannedSubquery
from backtrail.state.fif.choice_decisions import Choice, Selection
from backtrail.state.fif.evaluate_decisions import Evaluation
from backtrail.state.fif.orchestrate_decisions import Action
from backtrail.state.hop import Granularity, Scored
from backtrail.state.path import EdgeKind
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.corpus.dated_files import DatedFiles
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.protocol import Decided
from backtrail.tools.toolbox import Toolbox

AIM = 2.0
DOCUMENTS = 5
CHILDREN = 2


class InstantCorpus:
    """Corpus of ten paragraphs in five documents; every search returns all of them at once."""

    name, version = "instant", "1"
    sees_pixels = False

    def __init__(self) -> None:
        self._children = {f"d{d}": [f"d{d}#p{p}" for p in range(CHILDREN)] for d in range(DOCUMENTS)}
        self._components = {
            key: Component(id=key, document=document, position=place, modality="text", text="A river in the north.")
            for document, keys in self._children.items()
            for place, key in enumerate(keys)
        }
        self._vector = np.full(4, 0.5, np.float32)

    def language(self, text: str) -> str:
        """English."""
        return "en"

    def embed(self, texts: Sequence[str]) -> Any:
        """The same vector for each."""
        return np.tile(self._vector, (len(texts), 1))

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents named after their ids."""
        return {key: Document(id=key, title=key) for key in ids}

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Paragraphs by id."""
        return {key: self._components[key] for key in ids}

    def subcomponents(self, component_ids: Collection[str]) -> dict[str, list[Subcomponent]]:
        """None."""
        return {}

    def children(self, document_ids: Collection[str]) -> dict[str, list[str]]:
        """Both paragraphs of each."""
        return {key: self._children[key] for key in document_ids}

    def links(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """None."""
        return {}

    def pointers(self, component_ids: Collection[str]) -> dict[str, list[Link]]:
        """None."""
        return {}

    def labels(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """None."""
        return {}

    def edge_kinds(self) -> dict[EdgeKind, int]:
        """None."""
        return {}

    def authored(self) -> CorpusReader:
        """The same."""
        return self

    def hierarchy(self, document_ids: Collection[str]) -> dict[str, list[Link]]:
        """None."""
        return {}

    def document_ids(self) -> list[str]:
        """All documents."""
        return list(self._children)

    @property
    def dated_files(self) -> DatedFiles:
        """None."""
        return DatedFiles({}, ())

    def phrase_candidates(self, phrase: str) -> list[str]:
        """All paragraphs."""
        return list(self._components)

    def search_documents(
        self, query: Any, granularity: Granularity, limit: int, among: Collection[str] | None = None
    ) -> list[Scored]:
        """All documents."""
        return [Scored(id=key, score=0.5) for key in self._children][:limit]

    def search_components(
        self, query: Any, granularity: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """All paragraphs."""
        return [Scored(id=key, score=0.5) for key in self._components][:limit]

    def search_lexical(
        self, query: str, layer: Granularity, limit: int, documents: Collection[str] | None = None
    ) -> list[Scored]:
        """Nothing."""
        return []

    def search_in_context(self, query: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Nothing."""
        return []

    def contexts(self, query: str, component_ids: Collection[str]) -> dict[str, float]:
        """All alike."""
        return dict.fromkeys(component_ids, 0.5)

    def search_pictures_like(self, file: Path, limit: int) -> list[Scored]:
        """Nothing."""
        return []

    def search_pictures(self, text: str, limit: int, documents: Collection[str] | None = None) -> list[Scored]:
        """Nothing."""
        return []

    def rarity(self, terms: Collection[str]) -> dict[str, float]:
        """All alike."""
        return dict.fromkeys(terms, 1.0)

    def document_terms(self, document_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """The same two."""
        return {key: frozenset(("river", "north")) for key in document_ids}

    def component_terms(self, component_ids: Collection[str]) -> dict[str, frozenset[str]]:
        """The same two."""
        return {key: frozenset(("river", "north")) for key in component_ids}

    def vectors(self, ids: Sequence[str], layer: Granularity) -> Any:
        """The same vector for each."""
        return np.tile(self._vector, (len(ids), 1))

    def best_subcomponents(self, query: Any, component_ids: Collection[str]) -> dict[str, tuple[str, float]]:
        """None."""
        return {}

    def picture(self, blob: str) -> bytes:
        """No picture exists."""
        raise KeyError(blob)


class InstantDecider:
    """Decider with a new search each time that never succeeds, so that a run uses all its hops."""

    name = "instant"

    def __init__(self) -> None:
        self._searches = 0

    async def decide(
        self,
        decision: Decision[Any, Any],
        inputs: Any,
        pictures: Sequence[Any] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:
        """A fixed output for each decision."""
        return Decided(self._output(decision.name, inputs), charge(), self.name)

    def _output(self, name: str, inputs: Any) -> Any:
        match name:
            case "fif_decompose":
                return Plan(subqueries=[PlannedSubquery(text="Which river is in the north?")])
            case "fif_orchestrate":
                self._searches += 1
                return Action(
                    action="search", subquery_id="q0", subtask=f"river in the north, attempt {self._searches}"
                )
            case "fif_evaluate":
                return Evaluation(answerable=False, reason="Not yet.")
            case "fif_rerank":
                best = [Choice(index=one.index, id=one.id, score=0.5) for one in inputs.candidates[: inputs.keep]]
                return Selection(choices=best)
            case "answer":
                cited = [CitedPiece(component=inputs.evidence[0].id)]
                return Reading(text="The Varda.", citations=cited, supported=True, confidence=0.5)
            case _:
                raise ValueError(f"No instant output for {name!r}.")


class BareState(TypedDict):
    """State of the bare loop: the step, and the parts of FiF's state written so far."""

    step: int
    log: Annotated[list[Any], operator.add]


def bare_loop(parts: list[list[Any]], saver: BaseCheckpointSaver[str]) -> Any:
    """Compile a loop of one node that writes one part of the state per step."""

    async def work(state: BareState) -> dict[str, Any]:
        return {"step": state["step"] + 1, "log": parts[state["step"]]}

    def onward(state: BareState) -> Literal["work", "__end__"]:
        return "work" if state["step"] < len(parts) else "__end__"

    machine = StateGraph(BareState)
    machine.add_node("work", work)
    machine.add_edge(START, "work")
    machine.add_conditional_edges("work", onward)
    return machine.compile(checkpointer=saver)


def memory_in_parts(state: dict[str, Any], steps: int) -> list[list[Any]]:
    """Split the final state of a run into so many parts."""
    items = [*state["hops"], *state["evidence"].items(), *state["usage"].items(), *state["subqueries"]]
    items = json.loads(json.dumps(items))
    return [items[step * len(items) // steps : (step + 1) * len(items) // steps] for step in range(steps)]


async def timed(graph: Any, inputs: Any, thread: str, context: Settings | None = None) -> tuple[float, int]:
    """Return milliseconds per super-step of one run on a new thread, and the number of super-steps."""
    config = {"configurable": {"thread_id": thread}, "recursion_limit": 10_000}
    started = time.perf_counter()
    await graph.ainvoke(inputs, config, context=context, durability="sync")
    elapsed = time.perf_counter() - started
    steps = (await graph.aget_state(config)).metadata["step"]
    return 1_000 * elapsed / steps, steps


async def measure(hops: int, repeat: int, folder: Path) -> tuple[list[float], list[float], int, int]:
    """Return milliseconds per super-step of FiF and the bare loop, steps per run, and bytes of the state."""
    settings = Settings(corpus="instant", budget=Budget(steps=hops))
    async with (
        open_checkpoints(str(folder / "fif.sqlite")) as ours,
        open_checkpoints(str(folder / "bare.sqlite")) as theirs,
    ):
        toolbox = Toolbox(open_corpus=lambda name: InstantCorpus())
        toolbox.rules = InstantDecider()
        graph = fif.build(toolbox).compile(checkpointer=ours)
        asked = {"question": "Which river is in the north?"}
        _, steps = await timed(graph, asked, "warm-up", settings)
        state = (await graph.aget_state({"configurable": {"thread_id": "warm-up"}})).values
        parts = memory_in_parts(state, steps)
        bare = bare_loop(parts, theirs)
        await timed(bare, {"step": 0, "log": []}, "warm-up")
        fif_times: list[float] = []
        bare_times: list[float] = []
        for run in range(repeat):  # alternating, so that a busy machine slows both
            fif_times.append((await timed(graph, asked, f"r{run}", settings))[0])
            bare_times.append((await timed(bare, {"step": 0, "log": []}, f"r{run}"))[0])
        return fif_times, bare_times, steps, len(json.dumps(parts))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hops", type=int, default=10, help="hops of a run (default 10)")
    parser.add_argument("--repeat", type=int, default=7, help="runs of either kind (default 7)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours, floor, steps, size = asyncio.run(measure(arguments.hops, arguments.repeat, Path(folder)))
    # The best run is the least disturbed one.
    print(f"{arguments.hops} hops, {steps} super-steps, memory of {size:,} bytes, {arguments.repeat} runs")
    print("| ms per super-step | best | median |")
    print("| --- | ---: | ---: |")
    for name, times in (("FiF with instant tools", ours), ("floor: bare LangGraph loop", floor)):
        print(f"| {name} | {min(times):.2f} | {statistics.median(times):.2f} |")
    ratio = statistics.median(ours) / statistics.median(floor)
    print(f"ratio of medians {ratio:.2f}, of bests {min(ours) / min(floor):.2f} (aim: at most {AIM:g})")


if __name__ == "__main__":
    main()
