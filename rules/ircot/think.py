"""Write the next sentence of a chain of thought without a model: a supported fact, or the answer.

Ours. The extractive reader decides whether the evidence is enough. Until then the chain continues with the sentence or
row of highest coverage that names something new, plus the question's open words, as the next retrieval's query.
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

# Below this coverage a piece is about something else, as for the evaluator of hops.
SUPPORTED = 0.4
FACT_CHARACTERS = 400
SENTENCE_CHARACTERS = 600


def think(inputs: ThinkInputs) -> NextThought:
    """Return the answer if the reader's support is enough, else a new fact; nothing if there is none."""
    outcome = read_out(AnswerInputs(question=inputs.question, evidence=inputs.evidence))
    reading = outcome.reading
    stated = NextThought(sentence=f"So the answer is {_clip(reading.text).rstrip('.')}.", answered=True)
    if reading.supported and outcome.level == "high":
        return stated
    if fact := next_fact(inputs):
        return NextThought(sentence=fact, answered=False)
    return stated if reading.supported else NextThought(sentence="", answered=False)


def next_fact(inputs: ThinkInputs) -> str:
    """Return the best covering piece with a new name, and the question's open words; nothing if none.

    Names in the question, the chain and titles of retrieved pages are not new.
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
        if not new or not (fact := new_fact(piece, wanted, new)):
            continue
        remains = unmet_words(inputs.question, piece.chain)
        sentence = _clip(f"{fact.rstrip('.')}; this leaves open: {remains}" if remains else fact, SENTENCE_CHARACTERS)
        if sentence not in inputs.thoughts:
            return sentence
    return ""


def new_fact(piece: Piece, wanted: frozenset[str], new: list[str]) -> str:
    """Format a piece as a standalone sentence, with its page title.

    A row keeps only cells with a word of the question or a new name: others would distract the search.
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
