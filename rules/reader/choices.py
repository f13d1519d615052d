"""Yes/no questions and choices between two things, answered only where the evidence is plain."""

from __future__ import annotations

import re
from collections.abc import Callable

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import COMPARATIVES
from backtrail.rules.reader.columns import measure, moment
from backtrail.rules.reader.replies import abstain, cite
from backtrail.rules.reader.support import Piece, covered, pieces, rarities
from backtrail.state.answer_decisions import SHORT_CHARACTERS, AnswerInputs, CitedPiece, EvidenceText, Reading

# A yes needs a piece that says nearly everything the question says.
PLAIN_COVERAGE = 0.85
# One of two options is taken when the evidence for it covers this much of the rest of the question …
OPTION_COVERAGE = 0.5
# … and this much more than the evidence for the other.
OPTION_LEAD = 0.1
_NEGATION = re.compile(r"\b(?:not|never|no|neither|nor|without|unlike)\b|n't\b|n’t\b", re.IGNORECASE)
# What compares in a way that no measure is known for: the one of which more is said is not the one that is more.
_COMPARES = re.compile(r"\b(?:more|less|fewer|better|worse)\b", re.IGNORECASE)
_LEAST_WINS = frozenset(
    ("older", "smaller", "lower", "shorter", "lighter", "earlier", "first", "slower", "closer", "colder")
)


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


def answer_choice(inputs: AnswerInputs, shape: QuestionShape, reader: Callable[[AnswerInputs], Reading]) -> Reading:
    """One of the two options: by their measures when the question compares them, else by coverage."""
    word = next((word for word in re.findall(r"\w+", shape.text.casefold()) if word in COMPARATIVES), "")
    if word:
        return _compared(inputs, shape, reader, word)
    if _COMPARES.search(shape.text):
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


def _compared(
    inputs: AnswerInputs, shape: QuestionShape, reader: Callable[[AnswerInputs], Reading], word: str
) -> Reading:
    """Each side's measure is read on its own; both must be found and must differ."""
    asked = COMPARATIVES[word]
    timely = asked.startswith("date")
    found: list[tuple[float, str, Reading]] = []
    for option in shape.options:
        question = f"When was {option} born or founded?" if timely else f"What is the {asked} of {option}?"
        naming = [kept for item in inputs.evidence if (kept := _naming(item, option))]
        reading = reader(AnswerInputs(question=question, known=inputs.known, evidence=naming))
        value = (moment if timely else measure)(reading.text) if reading.supported else None
        if value is None:
            return abstain(shape, inputs)
        found.append((value, option, reading))
    if found[0][0] == found[1][0]:
        return abstain(shape, inputs)
    pick = min if word in _LEAST_WINS else max
    _, winner, _ = pick(found, key=lambda entry: entry[0])
    cited: dict[str, CitedPiece] = {}
    for _, _, reading in found:
        cited |= {piece.model_dump_json(): piece for piece in reading.citations}
    return Reading(
        short=winner[:SHORT_CHARACTERS],
        text=winner,
        citations=list(cited.values()),
        supported=True,
        confidence=round(found[0][2].confidence * found[1][2].confidence, 4),
    )


def _naming(item: EvidenceText, option: str) -> EvidenceText | None:
    """The evidence as far as it names the option: other rows are emptied, so that places keep their numbers."""
    own = content_terms(option)
    if own <= content_terms(f"{item.title} {item.section}"):
        return item
    rows = [row if own <= content_terms(" ".join(row)) else [] for row in item.rows]
    sentences = [text if own <= content_terms(text) else "" for text in item.sentences]
    return item.model_copy(update={"rows": rows, "sentences": sentences}) if any(rows) or any(sentences) else None
