"""The offline decomposition agent: splits questions with several intents."""

from __future__ import annotations

from backtrail.rules.decompose import decompose
from backtrail.rules.hm_rag.keywords import keywords
from backtrail.state.decompose_decisions import DecomposeInputs
from backtrail.state.hm_rag.decisions import (
    MOST_PARTS,
    Completed,
    CompleteInputs,
    JudgeInputs,
    KeywordsInputs,
    Necessity,
    PlanInputs,
    Planned,
    PlannedPart,
    SplitQuestion,
    check_parts,
    same_question,
)


def complete(inputs: CompleteInputs) -> Completed:
    """Return the question unchanged: rules see no picture."""
    return Completed(question=inputs.question[:400])


def judge(inputs: JudgeInputs) -> Necessity:
    """Detect several intents: joined questions, or a comparison of two things by a measure.

    A chain ("the capital of the country in which …") is one intent: agents answer side by side, and its
    second part cannot be looked up before the first is known.
    """
    independent, _ = _parts(inputs)
    if check_parts(inputs, SplitQuestion(questions=independent)):
        return Necessity(several_intents=False, why="It asks for one thing.")
    return Necessity(
        several_intents=True, why=f"It asks for {len(independent)} things that do not wait for each other."
    )


def split(inputs: JudgeInputs) -> SplitQuestion:
    """Return the independent parts; without any, the parts of the chain."""
    independent, chain = _parts(inputs)
    return SplitQuestion(questions=independent if len(independent) > 1 else chain)


def plan(inputs: PlanInputs) -> Planned:
    """Judge the question, split it if it has several intents, and extract keywords of every part."""
    question = JudgeInputs(question=inputs.question, has_picture=inputs.has_picture)
    several = judge(question).several_intents
    parts = split(question).questions if several else []
    whole = keywords(KeywordsInputs(question=inputs.question, options=inputs.options))
    return Planned(
        parts=[PlannedPart(question=part, **keywords(KeywordsInputs(question=part)).model_dump()) for part in parts],
        **whole.model_dump(),
    )


def _parts(inputs: JudgeInputs) -> tuple[list[str], list[str]]:
    """Return the independent sub-questions, and all of them; the question itself is none."""
    planned = decompose(DecomposeInputs(question=inputs.question)).subqueries
    new = [one for one in planned if not same_question(one.text, inputs.question)]
    independent = dict.fromkeys(one.text for one in new if not one.depends_on)
    return list(independent)[:MOST_PARTS], list(dict.fromkeys(one.text for one in new))[:MOST_PARTS]
