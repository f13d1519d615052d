"""What HM-RAG's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class HmRagVariant:
    """Differences from the paper that a run can do without.

    Args:
        search_words: the vector agent searches by vectors and BM25; the paper has vectors alone.
        contest: a better supported answer contests a vote; in the paper sources that agree are always believed.
        one_plan: the judgement of intents, the split and the keywords of every part are one decision; in the paper
            each is a call.
        thrift: with a model as reader, parts are searched in waves, answers to earlier ones put into later queries,
            and each source reads once what it found for all of them; nobody reads again what was read already, and
            answers are summarised only where they differ. In the paper every source answers every part.
        votes_on_spans: the short answers are compared; in the paper whole answers, or their summaries.
        one_place: what says the same takes one place in the ranking; in the paper each has its own.
    """

    search_words: bool
    contest: bool
    votes_on_spans: bool
    one_plan: bool
    thrift: bool
    deduplicate_components: bool


HM_RAG = Variants(
    published=HmRagVariant(
        search_words=False,
        contest=False,
        votes_on_spans=False,
        one_plan=False,
        thrift=False,
        deduplicate_components=False,
    ),
    ours=HmRagVariant(
        search_words=True, contest=True, votes_on_spans=True, one_plan=True, thrift=True, deduplicate_components=True
    ),
)
