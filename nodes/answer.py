"""answer: read the top k and answer with citations, or abstain (FiF section 5.3, reader)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired

from langgraph.runtime import Runtime

from backtrail.nodes.answer_alone import NO_VALID_ANSWER, own_answer
from backtrail.nodes.end_turn import AnswerWrites, TurnSlice, end_turn, without_answer
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.abstain_below_confidence import abstain_below_confidence
from backtrail.nodes.reading.answer_grounds import ByPaper, allowed, in_quotes, quoted
from backtrail.nodes.reading.build_answer import build_answer
from backtrail.nodes.reading.component_views import COMPONENT_CHARACTERS, RULES_CHARACTERS, evidence_text
from backtrail.nodes.reading.computed_evidence import computed_rows, computed_text
from backtrail.nodes.reading.fit_prompt_budget import READ_CHARACTERS, fit_prompt_budget
from backtrail.nodes.reading.page_context import add_page_context
from backtrail.nodes.reading.pictures import attach_pictures, attach_question_picture
from backtrail.nodes.reading.piece_similarity import with_piece_similarity
from backtrail.nodes.reading.searched_cells import with_searches
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.answer import Answer, Knowledge
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.coverage import completeness, coverage_of
from backtrail.state.draft import Draft
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.hop import Hop, Scored, computations
from backtrail.state.ircot.memory import Thought
from backtrail.state.offline.extract import ExtractInputs
from backtrail.state.own_knowledge_decisions import ANSWER_ALONE, AnswerAloneInputs
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.usage import Charge
from backtrail.state.variant import OURS
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader
from backtrail.tools.web.shelf import is_web

NOTHING_FOUND = "I found nothing in the corpus that bears on this question."
NO_VALID_READING = "I found evidence, but no valid answer could be read from it; see the recorded failures."


class ReadSlice(TurnSlice):
    """The ranking and intermediate results. ``queries``: the last reformulation of the question."""

    image: str | None
    queries: NotRequired[list[str]]
    evidence: dict[str, Evidence]
    ranking: list[Scored]
    usage: dict[str, Charge]
    failures: NotRequired[list[Failure]]
    thoughts: NotRequired[list[Thought]]
    hops: NotRequired[list[Hop]]


class AnswerSlice(ReadSlice):
    """The same, and a draft if one was written before."""

    draft: NotRequired[Draft | None]
    fused: NotRequired[bool]


@dataclass(frozen=True)
class Read:
    """An answer from a ranking, with its usage and failures.

    ``failed``: the node at which a model failed, if that is why there is no answer.
    """

    answer: Answer
    usage: dict[str, Charge]
    failures: list[Failure]
    failed: str = ""


def answer(toolbox: Toolbox, *, knowledge: ByPaper = "evidence") -> AsyncNode[AnswerSlice, AnswerWrites]:
    """Node: answer from the ranking, and from own knowledge if the settings, or else the method, allow it.

    A draft by the reader's own model is the answer, without another call.

    Args:
        knowledge: what an answer may be based on in the method's paper.
    """

    async def read_evidence(state: AnswerSlice, runtime: Runtime[Settings]) -> AnswerWrites:
        settings = settings_of(runtime)
        may = allowed(settings, knowledge)
        draft = state.get("draft")
        # An abstention from the evidence alone is not final where own knowledge counts too.
        silent = draft is not None and may == "both" and draft["answer"]["abstained"] and not draft.get("from_both")
        final = draft and (draft.get("by_reader") or settings.reader == settings.planner)
        if draft and final and may != "own" and not silent:
            reply = _counted(abstain_below_confidence(draft["answer"], settings), state)
            return await asyncio.to_thread(end_turn, toolbox, settings, state, reply, {}, [])
        read = await read_ranking(toolbox, settings, state, node="answer", step=0, knowledge=may)
        reply = _counted(abstain_below_confidence(read.answer, settings), state)
        return await asyncio.to_thread(
            end_turn, toolbox, settings, state, reply, read.usage, read.failures, read.failed
        )

    return read_evidence


def _counted(reply: Answer, state: AnswerSlice) -> Answer:
    """Return the answer with its coverage, of a run that can gather; an abstention without counts has none.

    Empty cells of its table get the searches that were made for them.
    """
    reply = with_searches(reply, state.get("hops") or [])
    coverage = coverage_of(state.get("hops") or [])
    exhaustive = bool((state.get("draft") or {}).get("exhaustive"))
    complete = completeness(coverage, exhaustive=exhaustive) if state.get("fused") else None
    if complete is None or (reply["abstained"] and not coverage):
        return reply
    return {**reply, "coverage": coverage, "complete": complete}


async def read_ranking(
    toolbox: Toolbox,
    settings: Settings,
    state: ReadSlice,
    *,
    node: str,
    step: int,
    knowledge: Knowledge,
    notes: Sequence[str] = (),
) -> Read:
    """Read the ranked evidence, with its pictures and the question's own.

    If the model fails for good, the rules' reading is given in its place, and marked so.

    Args:
        knowledge: what the answer may be based on.
        notes: known facts besides the answers to subqueries.
    """
    if knowledge == "own":
        return await answer_unread(toolbox, settings, state, node=node, step=step)
    if not state["ranking"]:
        nothing, failed = without_answer(NOTHING_FOUND, state.get("failures", []))
        return Read(nothing, {}, [], failed)
    contents = toolbox.contents(settings)
    corpus = await asyncio.to_thread(toolbox.corpus, settings) if _fits(settings, state) else None
    components, documents, texts = await asyncio.to_thread(_evidence_texts, contents, state, settings, corpus)
    texts = await asyncio.to_thread(with_piece_similarity, toolbox, settings, "reader", state["question"], texts)
    beside = await asyncio.to_thread(add_page_context, toolbox, settings, "reader", state["question"], texts)
    pictures = [
        *await attach_question_picture(toolbox, state.get("image"), settings, "reader"),
        *await attach_pictures(contents, list(components.values()), settings, "reader"),
    ]
    question, done = state["question"], computations(state.get("hops") or [])
    computed = [computed_text(key, one) for key, one in done.items()]
    inputs = AnswerInputs(
        question=question, knowledge=knowledge, queries=state.get("queries") or [],
        known=[*_known(state, chain=corpus is not None), *notes], evidence=[*beside.evidence, *computed],
    )  # fmt: skip
    if beside.texts:
        inputs = ExtractInputs(**dict(inputs), beside=beside.texts)
    taken = await take(toolbox, settings, ANSWER, inputs, node=node, step=step, spent=state["usage"], pictures=pictures)
    if taken.output is not None:
        cited = await asyncio.to_thread(computed_rows, contents, done)
        sources = {**cited, **beside.components, **components}, {**beside.documents, **documents}
        reply = build_answer(taken.output, [*texts, *beside.texts], *sources, question=question, computations=done)
        return Read(reply, taken.usage, taken.failures)
    unread, failed = without_answer(NO_VALID_READING, taken.failures)
    by_rules = await quoted(toolbox, inputs)
    if by_rules is not None:
        unread = in_quotes(build_answer(by_rules, texts, components, documents, question=question), unread["text"])
    return Read(unread, taken.usage, taken.failures, failed)


async def answer_unread(toolbox: Toolbox, settings: Settings, state: ReadSlice, *, node: str, step: int) -> Read:
    """Answer from own knowledge, whatever was found."""
    image = state.get("image")
    inputs = AnswerAloneInputs(
        question=state["question"], has_picture=bool(image), queries=state.get("queries") or [], searched=[]
    )
    taken = await take(
        toolbox, settings, ANSWER_ALONE, inputs, node=node, step=step, spent=state["usage"],
        pictures=await attach_question_picture(toolbox, image, settings, "reader"),
    )  # fmt: skip
    if taken.output is not None:
        return Read(own_answer(taken.output), taken.usage, taken.failures)
    unread, failed = without_answer(NO_VALID_ANSWER, taken.failures)
    return Read(unread, taken.usage, taken.failures, failed)


def _fits(settings: Settings, state: ReadSlice) -> bool:
    """Return whether pieces are selected: for models that read stored components, except as published."""
    stored = not any(is_web(scored["id"]) for scored in state["ranking"])
    return settings.variant == OURS and settings.reader != OFFLINE and stored


def _known(state: ReadSlice, *, chain: bool) -> list[str]:
    """Return answers to subqueries; for a model of ours also the chain of thought (``chain``)."""
    answers = [f"{one['text']}: {one['answer']}" for one in state["subqueries"] if one["answer"]]
    return answers + [thought["text"] for thought in state.get("thoughts") or [] if chain]


def _evidence_texts(
    contents: ContentsReader, state: ReadSlice, settings: Settings, corpus: CorpusReader | None
) -> tuple[dict[str, Component], dict[str, Document], list[EvidenceText]]:
    """Return the ranking as texts; with a corpus, the best pieces of each within the budget of characters."""
    scores = {scored["id"]: scored["score"] for scored in state["ranking"]}
    found_components = contents.components(list(scores))
    components = {key: found_components[key] for key in scores if key in found_components}
    documents = contents.documents([component.document for component in components.values()])
    if corpus is not None:
        texts_so_far = [one["text"] for one in (*state["subqueries"], *(state.get("thoughts") or []))]
        covering = Covering(corpus, " ".join([state["question"], *texts_so_far]))
        fitted = fit_prompt_budget(covering, components, documents, state["evidence"], READ_CHARACTERS, scores)
        return components, documents, list(fitted.values())
    texts: list[EvidenceText] = []
    most = RULES_CHARACTERS if settings.reader == OFFLINE else COMPONENT_CHARACTERS
    for key, component in components.items():
        text = evidence_text(component, documents.get(component.document), scores[key], characters=most)
        found = state["evidence"].get(key)
        parent = found.get("parent") if found else None
        if found and parent in components:
            text = text.model_copy(update={"parent": parent, "parent_row": found.get("parent_row")})
        texts.append(text)
    return components, documents, texts
