"""Expansion of generator syntax before Markdown is parsed: includes, template marks, components."""

from __future__ import annotations

import re

from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.includes.notations import expand_includes
from backtrail.ingest.markdown.marks import expand_marks
from backtrail.ingest.markdown.mdx import is_mdx
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.prose import replaced

_TARGET = re.compile(r"^\(([\w./:-]{1,100})\)=[ \t]*$", re.M)
_ENTRY = r"""(?:[#.][^\s{}"'=#]{1,200}|[\w:@.\-]{1,100}=(?:"[^"]{0,1500}"|'[^']{0,1500}'|[^\s{}"']{0,500}))"""
_ATTRIBUTES = re.compile(
    rf"(?<![{{\\_^$])\{{(?:(?=[ \t:]{{0,9}}(?:\.[^\W\d]|#\w))|(?<=[)`*_>]\{{)|(?<!\S.)(?=[^{{}}\n]{{3,500}}\}}[ \t]*$))"
    rf":?[ \t]{{0,9}}"
    rf"(?P<entries>{_ENTRY}(?:[ \t\n]{{1,9}}(?:{_ENTRY}|[\w\-]{{1,100}})){{0,20}})[ \t\n]{{0,9}}\}}(?!\}})",
    re.M,
)
"""Attribute lists with an id or a class anywhere; others only behind an element or at the end of a line.

Off: 364 of 2,893 Markdown pages show such lists as text.
"""

_ID = re.compile(r"""(?:^|\s)(?:#([^\s{}"'=#]+)|id=["']?([^\s{}"']+))""")


def expand(text: str, page: Page) -> str:
    """Return the text as Markdown with HTML; what cannot be evaluated is dropped and counted on the page."""
    includer = Includer(page)
    page.is_mdx = page.is_mdx or is_mdx(text, page.path.name)
    text = expand_includes(text.replace("\r\n", "\n"), includer)
    text = expand_marks(text, includer)
    text = replaced(text, _ATTRIBUTES, _place) if "{" in text else text
    return replaced(text, _TARGET, lambda target: f'<a id="{target[1]}"></a>\n') if ")=" in text else text


def expand_markup(text: str, page: Page) -> str:
    """Expand the includes and marks of an HTML text."""
    includer = Includer(page)
    return expand_marks(expand_includes(text, includer), includer)


def _place(attributes: re.Match[str]) -> str:
    """Return an anchor for the id of an attribute list, ``{#id .class key=value}``; "" without an id."""
    line = attributes.string[attributes.string.rfind("\n", 0, attributes.start()) + 1 : attributes.start()][:200]
    if line.lstrip().startswith((":::", "///")):  # a container's name may be in such a list
        return attributes[0]
    found = _ID.search(attributes["entries"])
    return f'<a id="{found[1] or found[2]}"></a>' if found else ""
