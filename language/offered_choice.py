"""The two things a question lets one choose between: "Is it X or Y?", "Which is older, X or Y?".

Source: ours. Every pattern reads a text once: a run of names is taken whole and never shortened again, and what
has to stand at the end of the question is looked for in its last characters only.
"""

from __future__ import annotations

import re

# A side of a choice is at most this long: "the first commercial nuclear reactor of the former German Democratic …".
SIDE_CHARACTERS = 60

# The quantifiers in ++ and *+ give nothing back: a run is tried once, not once from each of its words.
_NAME_RUN = re.compile(r"(?<!\w)[a-z]?[A-Z0-9][\w.’'-]*+(?:\s++(?:of|the|de|&|[A-Z0-9][\w.’'-]*+))*+")
_OR_NAME = re.compile(r",?\s++or\s++([A-Z0-9][\w.’'-]*+(?:\s++[A-Z0-9][\w.’'-]*+)*+)")
_AT_THE_END = re.compile(
    r"(?:^|[,:]|\b(?:is|are|was|were|between)\b) ?(?:it )?"
    rf"((?:the )?[^ ,:?][^,:?]{{0,{SIDE_CHARACTERS}}}?),? or ((?:the )?[^,?]{{1,{SIDE_CHARACTERS}}}?) ?\??$"
)
# Longer than any match of the pattern above: both sides, the words around them and a letter before.
_END_CHARACTERS = 2 * SIDE_CHARACTERS + 40
_PUNCTUATION = re.compile(r"[,:?]")
# "How do I turn it on or off from the keyboard?" and "Where are keys or names kept?" offer nothing to choose between.
_ASKS_OPENLY = re.compile(r"(?:^|[,;:.?!] )(?:and |so |but )?(?:how|where|when|why)\b", re.IGNORECASE)
_NO_SIDE = re.compile(
    r"(?:how|where|when|why)\b|(?:off|on|up|down|in|out|away|back|not)(?=$| (?:from|with|for|by|in|at|to|when|via)\b)",
    re.IGNORECASE,
)
_AUXILIARY_START = re.compile(r"^(?:is|are|was|were|did|does|do|has|have|had|which|who|what)\s+", re.IGNORECASE)


def choice_options(question: str) -> tuple[str, ...]:
    """The two sides of the choice, or nothing: two names with "or" between, else what stands at the end.

    A question for how, where, when or why offers a choice only behind a comma or colon at its end.
    """
    if _ASKS_OPENLY.search(question) and not closes_with_choice(question):
        return ()
    sides = _two_names(question) or _two_at_the_end(question)
    bare = tuple(_AUXILIARY_START.sub("", side.strip()) for side in sides)
    return bare if all(bare) and not any(_NO_SIDE.match(side) for side in bare) else ()


def _two_names(question: str) -> tuple[str, ...]:
    for run in _NAME_RUN.finditer(question):
        if other := _OR_NAME.match(question, run.end()):
            return run.group(), other.group(1)
    return ()


def _two_at_the_end(question: str) -> tuple[str, ...]:
    text = " ".join(question.split())
    match = _AT_THE_END.search(text, max(0, len(text) - _END_CHARACTERS))
    return match.groups() if match else ()


def closes_with_choice(question: str) -> bool:
    """Whether two things stand at the end, behind a comma or colon, whatever noun was asked for.

    "Which club is older, X or Y?"
    """
    text = question.rstrip().removesuffix("?")
    marks = [mark.start() for mark in _PUNCTUATION.finditer(text)]
    if not marks or text[marks[-1]] == "?":
        return False
    words = text[marks[-1] + 1 :].split()
    if words[:1] != ["or"]:
        return "or" in words[1:-1]
    # ", X, or Y": a comma before "or" belongs to it.
    opens = marks[-2:-1]
    first = text[opens[0] + 1 : marks[-1]] if opens and text[opens[0]] != "?" else ""
    return len(words) > 1 and text[marks[-1]] == "," and bool(first.strip())
