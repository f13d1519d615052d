"""IRCoT's decision: the next sentence of the chain of thought (Trivedi et al. 2023, section 3)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.decision import Decision, Part

ANSWER_MARK = "answer is"
"""Words of the sentence that states the answer and ends the chain."""


class ThinkInputs(Part):
    """The question, the chain so far, and the evidence retrieved so far, best first."""

    question: str
    thoughts: list[str] = Field(default_factory=list[str])
    evidence: list[EvidenceText]


class NextThought(Part):
    """One sentence. It is empty when the evidence allows no further step."""

    sentence: str = Field(max_length=600)
    answered: bool = Field(description="True when the sentence states the answer to the question.")


def thought_fits(inputs: ThinkInputs, thought: NextThought) -> list[str]:
    """Check that mark and flag agree, and that no sentence repeats, as it would retrieve the same again."""
    problems: list[str] = []
    says_answer = f"the {ANSWER_MARK}" in thought.sentence.casefold()
    if thought.answered and not says_answer:
        problems.append('A sentence that states the answer must say it as "So the answer is …."')
    if says_answer and not thought.answered:
        problems.append('The sentence states the answer, so "answered" must be true.')
    earlier_thoughts = {" ".join(earlier.casefold().split()) for earlier in inputs.thoughts}
    if thought.sentence and " ".join(thought.sentence.casefold().split()) in earlier_thoughts:
        problems.append("That sentence stands in the chain already; take a new step, or give an empty sentence.")
    return problems


THINK = Decision("ircot_think", ThinkInputs, NextThought, "planner", thought_fits, reasoned=False)
