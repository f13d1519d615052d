"""The methods, one row each. Graph files are imported on first use."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cached_property

from backtrail.graphs.method import Method
from backtrail.graphs.steps import Steps
from backtrail.prompts.prompt_file import add_prompts
from backtrail.rules.table import add_rules
from backtrail.state.cogplanner.variant import COGPLANNER
from backtrail.state.extensions import ExtensionUnusable, extensions, load_extension
from backtrail.state.fif.variant import FIF
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.ircot.variant import IRCOT
from backtrail.state.lilac.variant import LILAC
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.omnisearch.variant import OMNISEARCH
from backtrail.state.self_rag.variant import SELF_RAG
from backtrail.state.vqa_planner.variant import VQA_PLANNER
from backtrail.tools.errors import SettingsError

_log = logging.getLogger(__name__)

_SEARCHES = Steps("search", "searches")

_ROWS = (
    Method(
        name="fif",
        about="traverses a graph of documents, components and links one hop at a time, keeps every failure, and goes "
        "back to an earlier hop when a path is spent",
        paper="Failure is Feedback: History-Aware Backtracking for Agentic Traversal in Multimodal Graphs",
        page="fif.md",
        records=("subqueries", "hops"),
        steps=Steps("step", "hops", "step", first=0, choosers=frozenset({"orchestrate", "advance"}), begun="hop"),
        settings="fif",
        variants=FIF,
    ),
    Method(
        name="cogplanner",
        about="plans in rounds: rewords the question, splits it, and searches text, images or nothing",
        paper="CogPlanner: Unveiling the Potential of Agentic Multimodal Retrieval Augmented Generation with Planning",
        page="cogplanner.md",
        searches="web",
        records=("rounds", "searches"),
        steps=Steps("round", "rounds", "index", choosers=frozenset({"begin_round"})),
        planners=frozenset({"plan_round", "reformulate", "route_search"}),
        settings="cogplanner",
        variants=COGPLANNER,
    ),
    Method(
        name="vqa_planner",
        about="chooses once among four paths: own knowledge, picture search, text search, both",
        paper="Efficient Multimodal Planning Agent for Visual Question-Answering",
        page="vqa-planner.md",
        searches="web",
        records=("path", "searches"),
        steps=_SEARCHES,
        planners=frozenset({"choose_path"}),
        settings="vqa_planner",
        variants=VQA_PLANNER,
    ),
    Method(
        name="hm_rag",
        about="splits the question; a vector, a graph and a web agent answer each part; the answers vote, and an "
        "expert settles what they leave open",
        paper="HM-RAG: Hierarchical Multi-Agent Multimodal Retrieval Augmented Generation",
        page="hm-rag.md",
        records=("subqueries", "replies", "vote"),
        steps=Steps("wave", "replies", "wave", choosers=frozenset({"assign"})),
        settings="hm_rag",
        sections=("web",),
        variants=HM_RAG,
    ),
    Method(
        name="mmapg",
        about="grows a graph of questions, retrievals and answers; a branch that found nothing stays, another is grown",
        paper="MMAPG: A Training-Free Framework for Multimodal Multi-hop Question Answering via Adaptive Planning "
        "Graphs",
        page="mmapg.md",
        records=("planning_graph",),
        steps=Steps("turn", "planning_graph", "step", choosers=frozenset({"plan_next"})),
        settings="mmapg",
        variants=MMAPG,
    ),
    Method(name="dense", about="one search by vectors with the whole question, then read", page="baselines.md"),
    Method(
        name="bm25",
        about="one search by words, then read",
        paper="Robertson and Zaragoza 2009: The Probabilistic Relevance Framework",
        page="baselines.md",
    ),
    Method(
        name="hybrid",
        about="both searches fused by rank, then read",
        paper="Cormack, Clarke and Büttcher 2009: Reciprocal Rank Fusion",
        page="baselines.md",
    ),
    Method(
        name="dense_multimodal",
        about="one search by vectors of words and of pixels, then read",
        page="baselines.md",
    ),
    Method(
        name="page_images",
        about="one search among pictures of whole pages by late interaction, then read",
        paper="Faysse et al. 2024: ColPali: Efficient Document Retrieval with Vision Language Models",
        page="baselines.md",
        settings="page_images",
    ),
    Method(
        name="lilac",
        about="decomposes once, then a beam search over edges of the graph of components",
        paper="Yun et al. 2025: LILaC: Late Interacting in Layered Component Graph",
        page="baselines.md",
        records=("subqueries", "hops"),
        steps=Steps("step", "hops", "step", first=0, choosers=frozenset({"seed", "expand"})),
        settings="lilac",
        variants=LILAC,
    ),
    Method(
        name="ircot",
        about="alternates a sentence of reasoning with a search for it",
        paper="Trivedi et al. 2023: Interleaving Retrieval with Chain-of-Thought Reasoning",
        page="baselines.md",
        records=("hops",),
        steps=Steps("step", "hops", "step", first=0, choosers=frozenset({"look_up", "think"})),
        settings="ircot",
        variants=IRCOT,
    ),
    Method(
        name="model_alone",
        about="answers without a search",
        page="cogplanner.md",
        searches="web",
        records=("searches",),
    ),
    Method(
        name="fixed_text",
        about="one text search with the question, then answer",
        page="cogplanner.md",
        searches="web",
        records=("searches",),
        steps=_SEARCHES,
    ),
    Method(
        name="fixed_image",
        about="one image search, by the question's picture if it has one, then answer",
        page="cogplanner.md",
        searches="web",
        records=("searches",),
        steps=_SEARCHES,
    ),
    Method(
        name="self_rag",
        about="retrieves, grades what came back, rewrites the query, checks the answer, and loops",
        paper="Asai et al. 2023: Self-RAG, in the form that the paper of CogPlanner compares with",
        page="cogplanner.md",
        searches="web",
        records=("attempts", "searches"),
        steps=Steps("round", "attempts", "round", choosers=frozenset({"search_text", "rewrite_query"})),
        settings="self_rag",
        variants=SELF_RAG,
    ),
    Method(
        name="omnisearch",
        about="thinks, asks a sub-question, searches by picture, text or text for images, at most five times",
        page="vqa-planner.md",
        searches="web",
        records=("turns", "searches"),
        steps=Steps("turn", "turns", "index", choosers=frozenset({"think_search"})),
        planners=frozenset({"think_search"}),
        settings="omnisearch",
        variants=OMNISEARCH,
    ),
)


class Methods(Mapping[str, Method]):
    """All methods by name: built-in ones, and those of other packages, loaded on first use.

    ``unusable`` maps each installed method that cannot be used to its error.
    """

    def __init__(self) -> None:
        self.unusable: dict[str, ExtensionUnusable] = {}

    @cached_property
    def _all(self) -> dict[str, Method]:
        methods = {method.name: method for method in _ROWS}
        for name in extensions("methods"):
            try:
                method = _installed(name, methods)
            except ExtensionUnusable as error:
                self.unusable[name] = error
                _log.warning("%s", error)
            else:
                methods[name] = method
        return methods

    def __getitem__(self, name: str) -> Method:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


def _installed(name: str, others: Mapping[str, Method]) -> Method:
    """Load a method of another package and register its rules and prompts.

    Raises:
        ExtensionUnusable: it cannot be loaded, or its name is taken.
    """
    method, point = load_extension("methods", name, Method), extensions("methods")[name]
    if name in others:
        raise ExtensionUnusable("methods", point, "there is another method of that name")
    if method.name != name or not method.module:
        raise ExtensionUnusable("methods", point, f"its row has the name {method.name!r}, module {method.module!r}")
    try:
        add_rules(method.module, method.rules)
    except ValueError as error:
        raise ExtensionUnusable("methods", point, str(error)) from error
    if method.prompts:
        add_prompts(method.prompts)
    return method


METHODS = Methods()


def find_method(name: str) -> Method:
    """Return the method with this name.

    Raises:
        SettingsError: there is none; lists those that exist.
        ExtensionUnusable: another package provides it, and it cannot be loaded.
    """
    if name not in METHODS:
        if name in METHODS.unusable:
            raise METHODS.unusable[name]
        shown = " Every evaluation reports the oracle by itself where its questions have evidence."
        hint = shown if name == "oracle" else ""
        raise SettingsError(f"There is no method {name!r}. These exist: {', '.join(METHODS)}.{hint}")
    return METHODS[name]
