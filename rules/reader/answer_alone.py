"""Without evidence the rules know nothing: they read the question's own text, choose by it, or abstain."""

from __future__ import annotations

from backtrail.language.options import offered
from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.doubts import says_enough
from backtrail.state.answer_decisions import SHORT_CHARACTERS, AnswerInputs, EvidenceText, Reading
from backtrail.state.own_knowledge_decisions import AnswerAloneInputs, OwnAnswer

# What a question says of its subject is seldom its answer: it has to say most of what is asked, too (ours).
LEAST_CONFIDENCE = 0.4
NOT_LOOKED = "Nothing was looked up, and without a model nothing is known beyond what was looked up."
IN_VAIN = "The searches found nothing to read, and without a model nothing is known beyond what was found."


def answer_alone(inputs: AnswerAloneInputs) -> OwnAnswer:
    """What the question itself says, if it says the answer; otherwise an abstention with its reason."""
    asked = offered(inputs.question)
    options = [text for _, text in asked.options]
    reading = _read_own_text(asked.stem)
    if reading is not None and reading.supported and reading.confidence >= LEAST_CONFIDENCE:
        chosen = _chosen(reading.text, options) if options else reading.text
        if chosen:
            return OwnAnswer(short=chosen[:SHORT_CHARACTERS], text=chosen, known=True, confidence=reading.confidence)
    return OwnAnswer(text=IN_VAIN if inputs.searched else NOT_LOOKED, known=False, confidence=0.0)


def _read_own_text(question: str) -> Reading | None:
    """Read the sentences before and after the one that asks; None where it says nothing else."""
    sentences = split_sentences(question)
    asking = next((sentence for sentence in reversed(sentences) if sentence.rstrip().endswith(("?", "？"))), "")
    told = [sentence.strip() for sentence in sentences if sentence != asking and content_terms(sentence)]
    if not asking or not told:
        return None
    own = EvidenceText(id="question", modality="text", title="", sentences=told, score=1.0)
    outcome = read_out(AnswerInputs(question=asking.strip(), evidence=[own]))
    return outcome.reading if says_enough(outcome.signals) else None


def _chosen(text: str, options: list[str]) -> str:
    """The one option that shares its words with the answer; "" when none or several do."""
    said = content_terms(text)
    fitting = [option for option in options if (own := content_terms(option)) and (own <= said or said <= own)]
    return fitting[0] if len(fitting) == 1 else ""
