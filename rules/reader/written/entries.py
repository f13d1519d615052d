"""Entries: the lines that say what a default is the default of, where its own line does not: "The default is 10."

In a list of settings such a line closes an entry; the lines before it, back to where the entry begins, tell what is
set. English only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.terms import content_terms
from backtrail.rules.reader.support import Piece, told_more

# An entry is seldom longer; of a long paragraph the last lines are meant.
_LINES_BACK = 6
# Nothing but a default: "Default: 30s", "Defaults to 5", "The default value is 60 seconds.", but not "By default the
# server listens on port 80", which says of what.
_BARE = re.compile(
    r"^\W*(?:(?:the|its|this)\s+)?defaults?(?:\s+(?:value|setting|limit|is))?\s*(?::|=|\||is\b|are\b|was\b|to\b|\()",
    re.IGNORECASE,
)
# What an entry begins with: "valveLimit: How many valves …".
_LABEL = re.compile(r"^\W{0,3}(?P<label>[\w.<>\[\]/-]+(?: [\w.<>\[\]/-]+){0,3})(?:::?|\s[–—-])(?:\s|$)")
# Fields of an entry, which do not begin another one.
_FIELDS = re.compile(
    r"(?:data |value )?(?:types?|specifies|description|values?|range|mini?(?:mum)?|max(?:imum)?|units?|required"
    r"|optional|since|version|syntax|context|format|example|notes?|purpose|usage|use|deprecated|flag"
    r"|env(?:ironment)?(?: variable)?|status|scope|allowed|accepted|possible|valid|added)\b",
    re.IGNORECASE,
)


def is_bare_default(line: str) -> bool:
    """Whether a line tells a default and not what it is the default of."""
    return _BARE.match(line) is not None


def told_by_entry(piece: Piece) -> Piece:
    """The piece; one that says nothing but a default with the words of its entry, and as near in meaning as these."""
    if piece.row is not None or not piece.sentence or not is_bare_default(piece.text):
        return piece
    lines = piece.evidence.sentences
    before = range(_begins(lines, piece.sentence), piece.sentence)
    return told_more(piece, content_terms(" ".join(lines[place] for place in before)), tuple(before))


def _begins(lines: Sequence[str], place: int) -> int:
    """Where the entry of a line begins: with its label, or after the default of the entry before."""
    first = place
    while first > max(0, place - _LINES_BACK) and not is_bare_default(lines[first - 1]):
        first -= 1
        label = _LABEL.match(lines[first])
        if label and not _FIELDS.match(label["label"]):
            break
    return first
