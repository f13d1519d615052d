"""Find captions in paragraphs beside a table or picture: "Table 3-1: Editions".

Six of 527 pages of HTML with tables have such captions, and 8 of 3,426 of Markdown and reStructuredText.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from backtrail.ingest.draft import Draft
from backtrail.state.component import Modality

LONGEST = 400
"""Maximum number of characters of a caption (ours); a longer paragraph is content."""

_NUMBER = (
    r"[ \t\u00a0]*(?:[A-Z]|[IVX]+)?[.\-]?\d{0,4}(?:[.\-\u2013]\d{1,4}){0,3}[a-z]?[ \t]*[:.\u2014\u2013|-]?[ \t]+\S"
)
_WORDS: dict[Modality, str] = {
    "table": "table|tab\\.|tabelle|tableau|tabla|tabella|таблица|表",
    "image": "figure|fig\\.|abbildung|abb\\.|illustration|image|diagram|chart|plate|figura|рисунок|图|図",
}
_NUMBERED = {kind: re.compile(rf"(?:{words}){_NUMBER}", re.I) for kind, words in _WORDS.items()}
_HAS_NUMBER = re.compile(r"\w+\.?[ \t\u00a0]*(?:[A-Z][.\-]?)?\d|\w+[ \t]*:|(?:\w+[ \t]+)?[IVX]+[.:]")


def with_captions(drafts: Sequence[Draft]) -> list[Draft]:
    """Move paragraphs that are captions into their table or picture.

    A paragraph between two tables belongs to the one on the side of most captions of the page; in doubt captions are
    above tables and below pictures.
    """
    found = list(drafts)
    for kind, first in (("table", "before"), ("image", "after")):
        candidates = [index for index, draft in enumerate(found) if draft.modality == kind and _lacks_caption(draft)]
        before = {index: index - 1 for index in candidates if index and _fits(found[index - 1], found[index])}
        after = {
            index: index + 1 for index in candidates if index + 1 < len(found) and _fits(found[index + 1], found[index])
        }
        above = len(before) > len(after) or (len(before) == len(after) and first == "before")
        chosen = (after | before) if above else (before | after)
        taken: set[int] = set()
        for index, caption in chosen.items():
            if caption not in taken:
                taken.add(caption)
                found[index] = _captioned(found[index], found[caption])
        found = [draft for index, draft in enumerate(found) if index not in taken]
    return found


def _lacks_caption(draft: Draft) -> bool:
    if draft.table is not None:  # a table without caption is named by its heading
        return draft.table.caption in ("", draft.section.rpartition(" > ")[2]) or not draft.table.caption
    return draft.picture is not None and not draft.picture.caption


def _fits(text: Draft, beside: Draft) -> bool:
    words = text.text
    if text.modality != "text" or text.section != beside.section or not words or len(words) > LONGEST or "\n" in words:
        return False
    return bool(_NUMBERED[beside.modality].match(words)) and bool(_HAS_NUMBER.match(words))


def _captioned(draft: Draft, caption: Draft) -> Draft:
    links, ids = [*caption.links, *draft.links], [*caption.ids, *draft.ids]
    element_id = draft.element_id or caption.element_id
    if draft.table is not None:
        table = draft.table.model_copy(update={"caption": caption.text})
        return replace(draft, table=table, links=links, ids=ids, element_id=element_id)
    if draft.picture is None:
        return draft
    picture = replace(draft.picture, caption=caption.text)
    return replace(draft, picture=picture, links=links, ids=ids, element_id=element_id)
