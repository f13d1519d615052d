"""Include notations of generators, and their replacement by the text of the file."""

from __future__ import annotations

import re

from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.prose import FENCE, split_fences

# off: 188 of 2,893 Markdown pages lack the text or code of another file
_NOTATION = re.compile(
    r"^(?P<indent>[ \t]*)-+8<-+[ \t]+[\"'](?P<snippet>[^\"'\n]{1,500})[\"'][ \t]*$"
    r"|(?<![\\{])\{\{#(?:include|rustdoc_include|playground)[ \t]+(?P<book>[^{}\n]{1,500}?)[ \t]*\}\}"
    r"|(?<!`)\{!>?[ \t]*(?P<braces>[^!\n]{1,500}?)[ \t]*!\}"
    r"|^(?P<inset>[ \t]*)\{\*[ \t]+(?P<star>\S{1,500})[^*\n]{0,300}\*\}"
    r"|<!--[ \t]*@?include:[ \t]*(?P<comment>[^\n]{1,500}?)[ \t]*-->"
    r"|^<<<[ \t]+(?P<arrows>[^\s{}]{1,500})[^\n]{0,200}$"
    r"|^(?P<fence>[`:]{3,})\{(?:literal)?include\}[ \t]+(?P<directive>[^\n]{1,500})\n"
    r"(?:[^\n]{0,500}\n){0,20}?(?P=fence)[ \t]*$",
    re.M,
)
_SIGNS = ("8<", "{{#", "{!", "{*", "nclude", "<<<")
_PART = re.compile(r"(?<=\w)(?:[:#][\w:,-]{1,200}|\{[\d,:-]{1,200}\})$")
"""Lines or region of a file; ignored, as the whole file is included."""


def expand_includes(text: str, includer: Includer) -> str:
    """Replace include notations by the text of their files, in code and outside."""
    if not any(sign in text for sign in _SIGNS):
        return text
    if "include}" in text:  # a directive is a fence itself
        text = _NOTATION.sub(lambda one: _included(one, includer, in_code=False) if one["fence"] else one[0], text)
    return "".join(
        _NOTATION.sub(lambda one, code=is_code: _included(one, includer, in_code=code), part)
        for is_code, part in split_fences(text)
    )


def _included(notation: re.Match[str], includer: Includer, *, in_code: bool) -> str:
    names = ("snippet", "book", "braces", "star", "comment", "arrows", "directive")
    written = next(notation[name] for name in names if notation[name])
    as_it_is = in_code or bool(notation["fence"] and "{literalinclude" in notation[0])
    text = includer.shown("include", _PART.sub("", written.strip()), expand_includes, as_it_is=as_it_is)
    if notation["fence"] and as_it_is:
        text = f"{FENCE}\n{text}\n{FENCE}"
    indent = notation["indent"] or notation["inset"] or ""
    return "\n".join(f"{indent}{line}" if line else line for line in text.split("\n"))
