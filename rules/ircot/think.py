"""The next sentence of a chain of thought, without a model: state the best supported new fact, or the answer.

Ours. The extractive reader says whether the evidence settles the question; until it does, the chain
goes on with the sentence or row that covers most of the question and names something new, and with the
words of the question that this leaves open: together what the next retrieval should look up.
"""

from __future__ import annotations

import textwrap

from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_in, unmet_words
from backtrail.rules.reader.answer import read_out
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import AnswerInputs
from backtrail.state.ircot.decisions import NextThought, ThinkInputs

# Below this share of the question a piece is about something else, as for the evaluator of hops.
SUPPORTED = 0.4
FACT_CHARACTERS = 400
SENTENCE_CHARACTERS = 600


def think(inputs: ThinkInputs) -> NextThought:
    """The answer once the reader's support suffices; before that a new fact; nothing when there is none."""
    outcome = read_out(AnswerInputs(question=inputs.question, evidence=inputs.evidence))
    reading = outcome.reading
    stated = NextThought(sentence=f"So the answer is {_clip(reading.text).rstrip('.')}.", answered=True)
    if reading.supported and outcome.level == "high":
        return stated
    if fact := next_fact(inputs):
        return NextThought(sentence=fact, answered=False)
    return stated if reading.supported else NextThought(sentence="", answered=False)


def next_fact(inputs: ThinkInputs) -> str:
    """The piece that covers most of the question among those that name something not known yet, or nothing.

    With it stand the words of the question that it leaves open.
    Known is what the question and the chain say, and the pages that were retrieved.
    """
    wanted = analyse(inputs.question).terms
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    known = content_terms(" ".join([inputs.question, *inputs.thoughts, *(item.title for item in inputs.evidence)]))
    ranked = sorted(enumerate(listed), key=lambda entry: (-covered(wanted, entry[1].chain, rarity), entry[0]))
    for _, piece in ranked:
        if covered(wanted, piece.chain, rarity) < SUPPORTED:
            break
        new = [name for name, _ in names_in(piece.text) if not content_terms(name) <= known]
        if not new or not (fact := told(piece, wanted, new)):
            continue
        remains = unmet_words(inputs.question, piece.chain)
        sentence = _clip(f"{fact.rstrip('.')}; this leaves open: {remains}" if remains else fact, SENTENCE_CHARACTERS)
        if sentence not in inputs.thoughts:
            return sentence
    return ""


def told(piece: Piece, wanted: frozenset[str], new: list[str]) -> str:
    """A piece as a sentence that can be understood alone: with the title of its page.

    Of a row the cells that say a word of the question or a new name: the others would only draw the search away.
    """
    item = piece.evidence
    text = piece.text
    if piece.row is not None:
        cells = [cell for cell in item.rows[piece.row] if content_terms(cell) & wanted or any(n in cell for n in new)]
        text = ", ".join(cells)
    titled = content_terms(item.title) <= content_terms(text)
    return _clip(text if titled else f"{item.title}: {text}")


def _clip(text: str, characters: int = FACT_CHARACTERS) -> str:
    return textwrap.shorten(text, characters, placeholder="…")
