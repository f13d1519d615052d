"""Yes/no questions and choices between two things, answered only where the evidence is plain."""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.replies import abstain, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import SHORT_CHARACTERS, AnswerInputs, Reading

# A yes needs a piece that says nearly everything the question says.
PLAIN_COVERAGE = 0.85
# One of two options is taken when the evidence for it covers this much of the rest of the question …
OPTION_COVERAGE = 0.5
# … and this much more than the evidence for the other.
OPTION_LEAD = 0.1
_NEGATION = re.compile(r"\b(?:not|never|no|neither|nor|without|unlike)\b|n't\b|n’t\b", re.IGNORECASE)


def answer_yes_no(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """Yes or no if one piece, with its title, says nearly all of the question; otherwise an abstention."""
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    best = max(listed, key=lambda piece: covered(shape.terms, piece.titled, rarity), default=None)
    if best is None:
        return abstain(shape, inputs)
    share = covered(shape.terms, best.titled, rarity)
    if share < PLAIN_COVERAGE:
        return abstain(shape, inputs)
    denied = bool(_NEGATION.search(best.text)) != bool(_NEGATION.search(shape.text))
    return Reading(
        short="No" if denied else "Yes",
        text="No" if denied else "Yes",
        citations=cite(best, inputs, shape),
        supported=True,
        confidence=round(0.7 * share, 4),  # words in common do not make a statement true
    )


def answer_choice(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """The one of two options of which the evidence says most; none where the question compares them."""
    if shape.comparing - set(re.findall(r"\w+", " ".join(shape.options).casefold())):
        return abstain(shape, inputs)
    listed = pieces(inputs.evidence)
    rarity = rarities(listed)
    rest = shape.terms - content_terms(" ".join(shape.options))
    scored: list[tuple[float, int, Piece]] = []
    for index, option in enumerate(shape.options):
        own = content_terms(option)
        naming = [piece for piece in listed if own and own <= piece.titled]
        if naming:
            best = max(naming, key=lambda piece: covered(rest, piece.chain, rarity) + covered(rest, piece.own, rarity))
            scored.append((covered(rest, best.chain, rarity) + covered(rest, best.own, rarity), -index, best))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    if not scored or scored[0][0] < OPTION_COVERAGE:
        return abstain(shape, inputs)
    if len(scored) > 1 and scored[0][0] - scored[1][0] < OPTION_LEAD:
        return abstain(shape, inputs)
    value, index, piece = scored[0]
    return Reading(
        short=shape.options[-index][:SHORT_CHARACTERS],
        text=shape.options[-index],
        citations=cite(piece, inputs, shape),
        supported=True,
        confidence=round(min(0.8, value / 2), 4),
    )
