"""Merge descriptions offline: their first sentences in turn, without repetition, up to a limit."""

from __future__ import annotations

from itertools import zip_longest

from backtrail.language.sentences import split_sentences
from backtrail.rules.knowledge.statement_parts import cut
from backtrail.state.knowledge.decisions import DescriptionsSummary, SummarizeDescriptionsInputs

SUMMARY_CHARACTERS = 600


def summarize(inputs: SummarizeDescriptionsInputs) -> DescriptionsSummary:
    """Join at most 600 characters of sentences: all first ones, then all second ones, and so on."""
    sentences = [split_sentences(description) for description in inputs.descriptions]
    kept: dict[str, None] = {}
    room = SUMMARY_CHARACTERS
    for turn in zip_longest(*sentences, fillvalue=""):
        for sentence in turn:
            if sentence and sentence not in kept and len(sentence) < room:
                kept[sentence] = None
                room -= len(sentence) + 1
    first = next((sentence for group in sentences for sentence in group), inputs.name)
    return DescriptionsSummary(summary=" ".join(kept) or cut(first, SUMMARY_CHARACTERS) or "?")
