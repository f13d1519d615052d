"""Split an instruction by its words: parts about a picture also search pictures."""

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
    """Search texts for everything, and pictures for parts that name a kind of picture.

    A name or quotation makes it a targeted search for a picture of that name.
    """
    text = inputs.instruction.strip()[:600]
    if not _PICTURE.search(text):
        return Split(text_part=text)
    kind = "targeted" if picture_names(text) else "descriptive"
    return Split(text_part=text, image_part=text, image_kind=kind)


def picture_names(text: str) -> list[str]:
    """Return possible names of a picture: quotations, then names, without words for pictures themselves."""
    names = [match.strip() for match in _QUOTED.findall(text)]
    # The first word of a sentence is always capitalised.
    names += [name for name, _ in names_in(text) if " " in name or not text.startswith(name)]
    return [name for name in dict.fromkeys(names) if not _PICTURE.fullmatch(name)]
