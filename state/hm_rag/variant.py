"""Differences between HM-RAG's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class HmRagVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        search_words: the vector agent uses hybrid search; in the paper dense search alone.
        contest: a better supported answer contests a vote; in the paper sources that agree are always believed.
        votes_on_spans: the vote compares short answers; in the paper whole answers, or their summaries.
        one_plan: one decision judges intents, splits the question and chooses the keywords of every part; in the paper
            each is a call.
        batched_reading: with a model as reader, parts are searched in waves, with answers to earlier parts in later
            queries; each source reads all its results once, and answers are summarised only where they differ. In the
            paper every source answers every part.
        deduplicate_components: components with the same content share one place in the ranking; the paper ranks each.
    """

    search_words: bool
    contest: bool
    votes_on_spans: bool
    one_plan: bool
    batched_reading: bool
    deduplicate_components: bool


HM_RAG = Variants(
    published=HmRagVariant(
        search_words=False,
        contest=False,
        votes_on_spans=False,
        one_plan=False,
        batched_reading=False,
        deduplicate_components=False,
    ),
    ours=HmRagVariant(
        search_words=True,
        contest=True,
        votes_on_spans=True,
        one_plan=True,
        batched_reading=True,
        deduplicate_components=True,
    ),
)
