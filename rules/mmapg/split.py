"""Split an instruction by its words: what speaks of a picture is looked for among pictures too."""

from __future__ import annotations

import re

from backtrail.language.unknown_names import names_in
from backtrail.state.mmapg.retrieval_decisions import Split, SplitInputs

_PICTURE = re.compile(
    r"\b(?:pictures?|photos?|photographs?|images?|posters?|logos?|paintings?|drawings?|illustrations?|diagrams?"
    r"|portraits?|emblems?|crests?|flags?|maps?|screenshots?|pictured|depict(?:s|ed|ing)?|drawn)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“«„]([^\"”»“]{2,80})[\"”»“]")


def split(inputs: SplitInputs) -> Split:
    """Everything is looked for in texts; what names a kind of picture also in pictures.

    A name or a quotation makes the picture a targeted one: it is known by what it is called.
    """
    text = inputs.instruction.strip()[:600]
    if not _PICTURE.search(text):
        return Split(text_part=text)
    kind = "targeted" if picture_names(text) else "descriptive"
    return Split(text_part=text, image_part=text, image_kind=kind)


def picture_names(text: str) -> list[str]:
    """What a picture may be called: quotations, then names, without the words for pictures themselves."""
    names = [match.strip() for match in _QUOTED.findall(text)]
    # The first word of a sentence has its capital from there.
    names += [name for name, _ in names_in(text) if " " in name or not text.startswith(name)]
    return [name for name in dict.fromkeys(names) if not _PICTURE.fullmatch(name)]
