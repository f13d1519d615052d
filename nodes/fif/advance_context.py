"""Inputs of the fused decision: the shown components, and bounded views of the memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backtrail.nodes.fif.ranking import measured_ranking
from backtrail.nodes.fif.shown_components import (
    LEDGER_LINES,
    MARKED_SHOWN,
    Found,
    just_gathered,
    pieces_of,
    shown_texts,
    without_bare_pictures,
)
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.fif.unreached_documents import unreached_documents
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.named_documents import named_documents
from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.graph_traversal.share_places import share_places
from backtrail.nodes.reading.computed_evidence import computed_rows, computed_text
from backtrail.nodes.reading.pictures import sees_pictures
from backtrail.state.answer_structure import with_structure
from backtrail.state.component import Component, Document
from backtrail.state.computation import Computation
from backtrail.state.draft import Draft
from backtrail.state.evidence import Evidence
from backtrail.state.fif.fused_decisions import (
    AdvanceInputs,
    NamedDocument,
    OpenSubquery,
    SeenComponent,
    StepKind,
    StepView,
)
from backtrail.state.fif.fused_decisions import Draft as DraftView
from backtrail.state.fif.memory import HopInProgress, JudgedOpening
from backtrail.state.fif.memory_views import DocumentView
from backtrail.state.fif.orchestrate_decisions import Allowed
from backtrail.state.fif.settings import FifSettings
from backtrail.state.gathering import Gathering
from backtrail.state.hop import ActionKind, Hop, computations
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.subquery import Subquery
from backtrail.tools.corpus.dated_files import DatedFile
from backtrail.tools.corpus.protocol import CorpusReader

ALWAYS_SEEN = 8
LEAST_FIT = 0.3
"""Least fit of the opening's results, as a share of the best one's, beyond the first few (ours)."""
DOCUMENTS_SHOWN = 6
OPENING_SHOWN = 10
_KINDS: Mapping[ActionKind, StepKind] = {
    "plan": "replan",
    "compute": "compute",
    "gather": "gather",
    "summarise": "summarise",
}


@dataclass(frozen=True)
class Memory:
    """The part of the state that the decision gets."""

    question: str
    subqueries: list[Subquery]
    hops: list[Hop]
    evidence: dict[str, Evidence]
    hop: HopInProgress | None
    marked: list[str]
    draft: Draft | None
    opening: JudgedOpening | None = None


@dataclass(frozen=True)
class Sight:
    """The inputs, and what citations are made of: components, documents and computations by their ids."""

    inputs: AdvanceInputs
    components: dict[str, Component]
    documents: dict[str, Document]
    computations: dict[str, Computation]


def in_sight(corpus: CorpusReader, memory: Memory, settings: Settings, *, has_picture: bool) -> Sight:
    """Show the marked components, then the last hop's; after the opening, the best of all it found.

    Reads the corpus (blocking).
    """
    measure = Measure(corpus, memory.question, words=searches_words(settings))
    done = computations(memory.hops)
    gathered = just_gathered(memory.hops) if memory.hop is None else None
    named = named_documents(corpus, memory.question, settings.fif.documents_per_hop)
    shown = _shown(memory, gathered, measure, settings, named)
    ledger = [key for key in memory.marked[MARKED_SHOWN:][:LEDGER_LINES] if key not in shown]
    components = corpus.components([*shown, *ledger])
    documents = corpus.documents([component.document for component in components.values()])
    attached = settings.pictures if sees_pictures(settings, "planner") else 0
    kept_always = {*memory.marked, *pieces_of(gathered)}
    components = without_bare_pictures(components, documents, kept_always, attached)
    wanted = _wanted(memory)
    found = Found(components, documents, memory.evidence, ledger, gathered, memory.hops)
    texts = shown_texts(Covering(corpus, wanted), found)
    components = {key: components[key] for key in texts}
    measured = measure.components(components)
    linked = any(corpus.links(list(memory.evidence | dict.fromkeys(components))).values())
    linked = linked or any(corpus.hierarchy(list(documents)).values())
    steps = step_views(corpus, memory, {component.document for component in components.values()})
    hop = _pending(memory, steps)
    near = list(components.values()) if linked else []
    unreached = unreached_documents(corpus, wanted, near, memory.hops)
    inputs = AdvanceInputs(
        question=memory.question,
        has_picture=has_picture,
        documents_link=linked,
        allowed=allowed(settings.fif),
        evidence=[
            SeenComponent(
                **{name: getattr(text, name) for name in type(text).model_fields},
                document=components[key].document,
                similarity=round(measured[key].similarity, 4),
                coverage=round(measured[key].coverage, 4),
                path_coverage=round(measured[key].path_coverage, 4),
                links=measured[key].links,
                context=measured[key].context,
            )
            for key, text in texts.items()
        ]
        + [SeenComponent(**dict(computed_text(key, one))) for key, one in done.items()],
        memory=[step for step in steps if step is not hop],
        subqueries=subquery_views(memory),
        draft=_draft_view(memory),
        named_documents=_named_views(named, components),
        neighbours=unreached.shown,
        neighbours_left_out=unreached.left_out,
        hop=hop,
        steps_left=max(0, settings.budget.steps - len(memory.hops) - (1 if memory.hop else 0)),
        may_compute=settings.fif.compute and any(one.table for one in components.values()),
        may_gather=settings.fif.gather,
        may_summarise=settings.fif.summarise and settings.reader != OFFLINE,
    )
    rows_of = computed_rows(corpus, done)
    titles = corpus.documents([component.document for component in rows_of.values()])
    return Sight(inputs, {**rows_of, **components}, {**titles, **documents}, done)


def _shown(
    memory: Memory, gathered: Gathering | None, measure: Measure, settings: Settings, named: Sequence[DatedFile]
) -> list[str]:
    """Return the components to show: marked ones, then those of the hop, or the best of the opening.

    The best of the opening take turns with the best of each file that the question names.
    """
    if memory.hop is not None:
        ranked = memory.hop["components"]
    elif gathered is not None:
        ranked = [{"id": key} for key in pieces_of(gathered)]
    else:
        keep = settings.fif.components_per_hop
        best = measured_ranking(measure, memory.evidence, max(keep, len(memory.evidence)))
        fit = [
            scored
            for place, scored in enumerate(best[:keep])
            if place < ALWAYS_SEEN or scored["score"] >= LEAST_FIT * best[0]["score"]
        ]
        document = {key: one["document"] for key, one in memory.evidence.items()}
        groups = [[one for one in best if document[one["id"]] in file.documents] for file in named]
        ranked = share_places(fit, groups, keep)
    return list(dict.fromkeys([*memory.marked[:MARKED_SHOWN], *(scored["id"] for scored in ranked)]))


def _named_views(named: Sequence[DatedFile], components: Mapping[str, Component]) -> list[NamedDocument]:
    """Return how much of each of several files that the question names is shown."""
    homes = [one.document for one in components.values()]
    views = [NamedDocument(document=file.id, in_sight=sum(one in file.documents for one in homes)) for file in named]
    return views if len(views) > 1 else []


def _draft_view(memory: Memory) -> DraftView | None:
    """Return the draft with the items, cells or sections of its answer."""
    if not memory.draft:
        return None
    answer = memory.draft["answer"]
    return DraftView(answer=with_structure(answer["text"], answer), unverified=memory.draft["unverified"])


def allowed(switches: FifSettings) -> Allowed:
    """Return the actions that the settings allow."""
    return Allowed(
        backtracking=switches.backtracking,
        reasoning=switches.reasoning,
        global_hop=switches.global_hop,
        granularity=switches.granularity,
        planner=switches.planner,
    )


def _wanted(memory: Memory) -> str:
    """Return the text to select pieces by: the question, the last hop's subtask, and open subqueries."""
    texts = [memory.question, memory.hop["route"]["subquery"] if memory.hop else ""]
    texts += [subquery["text"] for subquery in memory.subqueries if subquery["status"] == "open"]
    return " ".join(dict.fromkeys(texts))


def subquery_views(memory: Memory) -> list[OpenSubquery]:
    """Return the subqueries with everything known about them, without the question itself."""
    failed = [hop["subquery_id"] for hop in memory.hops if hop["outcome"] == "failure"]
    return [
        OpenSubquery(
            id=subquery["id"],
            text=subquery["text"],
            status=subquery["status"],
            answer=subquery["answer"],
            answered_by=subquery["answered_by"],
            candidates=subquery.get("candidates", []),
            unverified=subquery.get("unverified", []),
            depends_on=subquery["depends_on"],
            failed_searches=failed.count(subquery["id"]),
        )
        for subquery in memory.subqueries
        if subquery["text"] != memory.question
    ]


def step_views(corpus: CorpusReader, memory: Memory, in_sight: Collection[str]) -> list[StepView]:
    """Return earlier steps, oldest first, renumbered; an opening by rules is one step, once it is judged.

    Args:
        in_sight: documents of shown components, which steps do not name again.
    """
    opening = [hop for hop in memory.hops if hop.get("opening")]
    later = [hop for hop in memory.hops if not hop.get("opening") and hop["kind"] != "stop"]
    shown = [one["id"] for hop in memory.hops for one in hop["documents"][:OPENING_SHOWN]]
    shown = list(dict.fromkeys(one for one in shown if one not in in_sight))
    titles = {key: document.title for key, document in corpus.documents(shown).items()}
    opened = opening and (later or memory.hop)
    judgements = [*(hop["why"] for hop in later[1:]), memory.hop["route"]["why"] if memory.hop else ""]
    views = [
        StepView(
            step=number,
            kind=_KINDS.get(hop["kind"], "search"),
            subquery_id=hop["subquery_id"],
            subtask=hop["subquery"],
            scope=hop["strategy"]["scope"] if hop["strategy"] else None,
            granularity=hop["strategy"]["granularity"] if hop["strategy"] else None,
            reasoning=hop["strategy"]["reasoning"] if hop["strategy"] else None,
            from_documents=hop["anchors"][:DOCUMENTS_SHOWN],
            outcome=hop["outcome"],
            reason=hop["reason"],
            judgement=judgement if hop["kind"] in ("gather", "compute") else "",
            edges=hop.get("edges", {}),
            documents=_titled([one["id"] for one in hop["documents"][:DOCUMENTS_SHOWN]], titles),
            relevant=[one["id"] for one in hop["components"] if one["id"] in memory.marked],
        )
        for number, (hop, judgement) in enumerate(zip(later, judgements, strict=False), start=1 if opened else 0)
    ]
    if not opened:
        return views
    # The first document of each hop, then the second of each: every hop's best come first.
    places = max(len(hop["documents"]) for hop in opening)
    mixed = [hop["documents"][n]["id"] for n in range(places) for hop in opening if n < len(hop["documents"])]
    first = list(dict.fromkeys(one for one in mixed if one in titles))[:OPENING_SHOWN]
    judged = memory.opening
    first_step = StepView(
        step=0,
        kind="opening",
        outcome="unjudged" if judged is None else "success" if judged["success"] else "failure",
        reason=judged["reason"] if judged else "",
        documents=_titled(first, titles),
        relevant=judged["relevant"] if judged else [],
    )
    return [first_step, *views]


def _titled(ids: Sequence[str], titles: Mapping[str, str]) -> list[DocumentView]:
    return [DocumentView(id=one, title=titles[one]) for one in ids if one in titles]


def _pending(memory: Memory, steps: Sequence[StepView]) -> StepView:
    """Return the hop to judge, numbered after those in memory; else the last step, or the opening."""
    if memory.hop is None:
        after_opening = memory.hops and not memory.hops[-1].get("opening")
        return steps[-1] if after_opening else StepView(step=0, kind="opening", outcome="unjudged")
    route = memory.hop["route"]
    return StepView(
        step=len(steps),
        kind="search",
        subquery_id=route["subquery_id"],
        subtask=route["subquery"],
        scope=route["strategy"]["scope"],
        granularity=route["strategy"]["granularity"],
        reasoning=route["strategy"]["reasoning"],
        from_documents=route["anchors"][:DOCUMENTS_SHOWN],
        outcome="unjudged",
    )
