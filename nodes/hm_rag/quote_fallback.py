"""Fallback to quotes from all evidence when models failed for good."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from backtrail.language.short_answers import short_form
from backtrail.nodes.hm_rag.agents.read import most_read
from backtrail.nodes.hm_rag.agents.reading import read_contents
from backtrail.nodes.hm_rag.vote import with_option
from backtrail.nodes.reading.answer_grounds import in_quotes
from backtrail.state.answer import Answer
from backtrail.state.choice_decisions import OptionView, ReadInputs
from backtrail.state.hm_rag.decisions import READ
from backtrail.state.hm_rag.memory import Option, Retrieved
from backtrail.state.settings import Settings
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.toolbox import Toolbox


async def quotes_of(
    toolbox: Toolbox, settings: Settings, question: str, options: Sequence[Option], found: Retrieved, failed: Answer
) -> Answer:
    """Return the rules' answer, marked as such, or the abstention if they find none.

    Args:
        failed: the abstention, which names the failure.
    """
    shown = await asyncio.to_thread(read_contents, toolbox, settings, question, found, most_read(settings))
    views = [OptionView(**option) for option in options]
    inputs = ReadInputs(question=question, knowledge="evidence", evidence=shown.texts, options=views)
    try:
        read = (await toolbox.rules.decide(READ, inputs)).output
    except DecisionFailed:
        return failed
    if not read.supported:
        return failed
    answer: Answer = {
        "short": short_form(read.short.strip(), read.text),
        "text": with_option(read.text.strip(), read.option, list(options)),
        "citations": shown.citations(read.citations),
        "confidence": round(read.confidence, 4),
        "abstained": False,
    }
    return in_quotes(answer, failed["text"])
