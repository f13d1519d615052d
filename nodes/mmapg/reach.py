"""reach: take every entry within the radii of the queries as a candidate (MMAPG 3.4, eq. 10 and 11).

A radius does not limit the number of entries; the bound on candidates is ours, and the record says when it was hit.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.fuse_rankings import search_components
from backtrail.nodes.graph_traversal.linked_candidates import Parents, linked_candidates
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.mmapg.candidate_order import rounds_of
from backtrail.nodes.mmapg.retrieval_query import sought
from backtrail.nodes.node import SyncNode
from backtrail.nodes.reading.component_views import clip
from backtrail.nodes.take_decision import settings_of
from backtrail.state.mmapg.memory import Candidate, Chunk
from backtrail.state.mmapg.planning_graph import PlanningNode, Search, number_of
from backtrail.state.mmapg.retrieval_decisions import ImageKind
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.corpus.calibration.radii import Radii, radii_of
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.knowledge_bases.image import image_base_name, search_images
from backtrail.tools.knowledge_bases.text import CorpusTexts, Entry, KnowledgeTexts, TextBase, WithinRadius, interleave
from backtrail.tools.toolbox import Toolbox

ENTRIES_PER_CANDIDATE = 10
"""Entries to search per candidate, as several belong to one component."""
ENTRIES_SHOWN = 3
ENTRY_CHARACTERS = 240

LEAST_WORDS = 3
"""Words of the shortest sentence: subject, verb and object."""


class ReachSlice(TypedDict):
    """The queries and where to search them."""

    node: PlanningNode
    parents: list[PlanningNode]
    text_part: str
    image_part: str
    image_kind: ImageKind
    text_queries: list[str]
    image_queries: list[str]
    image_question: str


class ReachWrites(TypedDict):
    """The candidates, the record of the search, and the rounds of their examination; none if one by one."""

    candidates: list[Candidate]
    rounds: list[list[Chunk]]
    search: Search
    usage: dict[str, Charge]


def reach(toolbox: Toolbox) -> SyncNode[ReachSlice, ReachWrites]:
    """Node: the candidates of a retrieval."""

    def find_candidates(state: ReachSlice, runtime: Runtime[Settings]) -> ReachWrites:
        settings = settings_of(runtime)
        started = time.perf_counter()
        corpus = toolbox.corpus(settings)
        radii = _radii(corpus, settings.mmapg)
        base = _text_base(toolbox, corpus, settings)
        parents: Parents = {}
        wanted = sought(state["text_part"], state["image_part"])
        along_links = state["node"]["within"] == "links"
        words = MMAPG.of(settings.variant).search_words
        if along_links:
            sources = [source for parent in state["parents"] for source in parent["sources"]]
            found, parents, capped = linked_candidates(corpus, wanted, sources, settings.mmapg.candidates)
            reached = [WithinRadius([Entry(scored["id"], "", scored["score"]) for scored in found], capped)]
        else:
            reached = _within_radii(state, corpus, base, radii, settings.mmapg.candidates)
            if words:
                reached.append(_by_words_too(corpus, state, settings.mmapg.candidates))
        entries, bounded = _by_component(reached, settings.mmapg.candidates)
        candidates = _candidates(Measure(corpus, wanted, words=words), entries, parents)
        if words:
            candidates = _without_labels(corpus, candidates)
        search: Search = {
            "text_queries": state.get("text_queries", []),
            "image_queries": [] if along_links else state.get("image_queries", []),
            "image_question": state.get("image_question", ""),
            "image_kind": state["image_kind"],
            "text_base": "links" if along_links else base.name,
            "image_base": image_base_name(corpus) if state.get("image_queries") and not along_links else "none",
            "text_radius": radii.text,
            "image_radius": radii.image,
            "entries": sum(len(one.entries) for one in reached),
            "examined": len(candidates),
            "capped": bounded,
        }
        rounds = rounds_of(candidates, state["text_part"], state["image_part"], settings)
        spent = charge(stage="vectors", seconds=time.perf_counter() - started)
        return {
            "candidates": candidates,
            "rounds": rounds if MMAPG.of(settings.variant).chunks else [],
            "search": search,
            "usage": {f"reach@{number_of(state['node']['id'])}": spent},
        }

    return find_candidates


def _radii(corpus: CorpusReader, chosen: MmapgSettings) -> Radii:
    """Return the settings' radii, else those of the corpus."""
    own = radii_of(corpus)
    return Radii(
        text=own.text if chosen.text_radius is None else chosen.text_radius,
        image=own.image if chosen.image_radius is None else chosen.image_radius,
    )


def _text_base(toolbox: Toolbox, corpus: CorpusReader, settings: Settings) -> TextBase:
    """Return triplets if the corpus has a knowledge graph, unless the settings differ.

    Raises:
        KnowledgeMissing: the settings ask for triplets, and there are none.
    """
    chosen = settings.mmapg.knowledge
    if chosen == "corpus":
        return CorpusTexts(corpus)
    try:
        return KnowledgeTexts(corpus, toolbox.statements(settings), restricted=bool(settings.documents))
    except KnowledgeMissing:
        if chosen == "triplets":
            raise
        return CorpusTexts(corpus)


def _within_radii(
    state: ReachSlice, corpus: CorpusReader, base: TextBase, radii: Radii, candidates: int
) -> list[WithinRadius]:
    """Search texts and pictures, each within its own radius: their similarities are not comparable."""
    limit = candidates * ENTRIES_PER_CANDIDATE
    text_queries, image_queries = state.get("text_queries", []), state.get("image_queries", [])
    targeted = image_queries if state["image_kind"] == "targeted" else []
    reached: list[WithinRadius] = []
    if text_queries or targeted:
        reached.append(base.search([*text_queries, *targeted], radii.text, limit))
    if targeted:
        reached.append(_pictures_beside(corpus, base.search(targeted, radii.text, limit)))
    elif image_queries:
        reached.append(search_images(corpus, image_queries, radii.image, limit))
    return reached


def _by_words_too(corpus: CorpusReader, state: ReachSlice, limit: int) -> WithinRadius:
    """Add components with words of a text query, or in sections with them, best fit first (ours)."""
    queries = [*state.get("text_queries", []), *([state["node"]["instruction"]] if state.get("text_queries") else [])]
    lists: list[list[Entry]] = []
    for query in dict.fromkeys(queries):
        with_words = {one["id"] for one in corpus.search_in_context(query, limit * ENTRIES_PER_CANDIDATE)}
        found = search_components(corpus, query, "component", limit, words=True)
        lists.append([Entry(one["id"], "", one["score"]) for one in found if one["id"] in with_words])
    return interleave(lists, limit, capped=False)


def _pictures_beside(corpus: CorpusReader, named: WithinRadius) -> WithinRadius:
    """Return pictures of the documents that a targeted search's queries name (ours).

    A picture is named by its own title, or by that of its page.
    """
    nearest: dict[str, float] = {}
    for entry in named.entries:
        nearest.setdefault(entry.component, entry.similarity)
    owners = corpus.components(list(nearest))
    near: dict[str, float] = {}
    for component, similarity in nearest.items():
        if component in owners:
            near.setdefault(owners[component].document, similarity)
    children = corpus.children(list(near))
    pictures = [key for key, one in corpus.components(_flat(children.values())).items() if one.image is not None]
    document_of = {child: document for document, members in children.items() for child in members}
    found = [Entry(key, "", near[document_of[key]]) for key in pictures]
    return WithinRadius(sorted(found, key=lambda entry: (-entry.similarity, entry.component)), named.capped)


def _flat(lists: Iterable[list[str]]) -> list[str]:
    return [item for one in lists for item in one]


def _by_component(reached: list[WithinRadius], limit: int) -> tuple[dict[str, list[Entry]], bool]:
    """Group entries by component, at most ``limit`` per knowledge base, and tell if there were more."""
    entries: dict[str, list[Entry]] = {}
    bounded = False
    for one in reached:
        bounded |= one.capped
        taken: set[str] = set()
        for entry in one.entries:
            if entry.component not in taken and len(taken) >= limit:
                bounded = True
                continue
            taken.add(entry.component)
            entries.setdefault(entry.component, []).append(entry)
    return entries, bounded


def _candidates(measure: Measure, entries: dict[str, list[Entry]], parents: Parents) -> list[Candidate]:
    components = measure.covering.corpus.components(list(entries))
    measured = measure.components(components, parents)
    candidates: list[Candidate] = []
    for key, found in entries.items():
        if key not in components:  # the knowledge graph may be older than the corpus
            continue
        parent, path = parents.get(key, (None, None))
        texts = dict.fromkeys(clip(entry.text, ENTRY_CHARACTERS) for entry in found if entry.text)
        candidates.append(
            {
                "component": key,
                "modality": components[key].modality,
                "entries": list(texts)[:ENTRIES_SHOWN],
                "similarity": round(measured[key].similarity, 4),
                "coverage": round(measured[key].coverage, 4),
                "path_coverage": round(measured[key].path_coverage, 4),
                "context": measured[key].context,
                "parent": parent.id if parent else None,
                "row": path["row"] if path else None,
                "anchor": path["anchor"] if path else "",
                "pictured": components[key].image is not None,
            }
        )
    return candidates


def _without_labels(corpus: CorpusReader, candidates: list[Candidate]) -> list[Candidate]:
    """Drop texts of one or two words ("[providers]", "size: 1Gi"), which state nothing (ours).

    Only in ASCII: other scripts may write a sentence without spaces.
    """
    components = corpus.components([one["component"] for one in candidates if one["modality"] == "text"])
    texts = {key: component.text or "" for key, component in components.items()}
    labels = {key for key, text in texts.items() if text.isascii() and len(text.split()) < LEAST_WORDS}
    return [one for one in candidates if one["component"] not in labels]
