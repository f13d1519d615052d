"""Tags of a site's own in Liquid, Nunjucks and the like: ``{% channel "garden" %}``. What their arguments say is read.

The code behind a tag is not there. Its quoted arguments are what an author wrote for readers, or an address.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from backtrail.ingest.markdown.labels import closed, kind_label, opened
from backtrail.ingest.markdown.page import Page

_ARGUMENTS = re.compile(r"(?:[ \t]*(?:\"[^\"]{0,300}\"|'[^']{0,300}')[ \t]*,?)+[ \t]*")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_NAME = re.compile(r"\{%-?\s{0,9}(?:end)?([\w-]{1,50})")
_END = re.compile(r"\{%-?\s{0,9}end([\w-]{1,50})")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif)$", re.I)
_ADDRESS = re.compile(r"(?:https?:)?//\S+|[^\s/]*/\S*|\S+\.\w{2,5}(?:#\S*)?")
_IN_LINK = re.compile(r"(?:\]\(<?|\b(?:href|src)=[\"']?)\s*$")
_WORD = re.compile(r"[^\W\d_]")
_CONTROL = frozenset({
    "if", "elif", "elsif", "else", "unless", "for", "case", "when", "assign", "set", "capture", "block", "extends",
    "import", "from", "include", "include_relative", "include_cached", "render", "layout", "section", "macro", "call",
    "filter", "with", "cycle", "comment", "liquid", "tablerow", "increment", "decrement", "break", "continue", "do",
    "autoescape", "load", "url", "static", "component", "partial", "slot", "paginate", "schema", "form", "echo", "raw",
    "verbatim", "switch", "csrf_token", "spaceless", "embed", "use", "apply", "cache", "eleventyImport",
})  # fmt: skip
"""Tags that decide, repeat, name or bring in other files."""
_NOT_SHOWN = frozenset({
    "asset", "assets", "css", "js", "javascript", "script", "style", "stylesheet", "icon", "svg", "svgIcon", "seo",
    "youtube", "vimeo", "gist", "codepen", "jsfiddle", "tweet", "twitter", "spotify", "video", "iframe", "anchor",
    "id", "cite", "bibliography", "reference", "class", "toc", "analytics",
})  # fmt: skip
"""Tags whose argument names a thing for a machine."""


class TemplateTags:
    """The tags of one page that nothing else evaluates."""

    def __init__(self, text: str, page: Page) -> None:
        self._page = page
        begun = [name for tag, name in ((tag[0], tag[1]) for tag in _NAME.finditer(text)) if "end" + name not in tag]
        ended = [tag[1] for tag in _END.finditer(text)]
        self._paired = {name for name in set(ended) if ended.count(name) == begun.count(name)}
        self._ended = set(ended)

    def shown(self, tag: re.Match[str], name: str) -> str:
        """What stands for a tag: an address in a link, a picture, its words; nothing, and noted, for any other."""
        before = tag.string[max(tag.start() - 200, 0) : tag.start()]
        if name.startswith("end"):
            return closed() if self._is_block(name.removeprefix("end"), before) else ""
        said = self._arguments(tag[0], name)
        if not said:
            self._page.leave_out("tag", name)
            return ""
        if _IN_LINK.search(before) and name not in _CONTROL:
            return self._address(said[0])
        shown = self._words(name, said, before)
        self._page.leave_out("tag", f"{name[:40]} (its arguments are shown)" if shown else name)
        return shown

    def _words(self, name: str, said: list[str], before: str) -> str:
        if name in _CONTROL | _NOT_SHOWN:
            return ""
        if name in self._ended:
            return opened(kind_label("", said[0])) if self._is_block(name, before) else ""
        if _PICTURE.search(said[0]):
            alt = " ".join(said[1:]).replace("[", "(").replace("]", ")")
            return f"![{alt}](<{said[0]}>)" if not set(said[0]) & set("<>") else ""
        words = [word for word in said if _WORD.search(word) and not _ADDRESS.fullmatch(word)]
        if words or not _ADDRESS.fullmatch(said[0]):
            return " ".join(words)
        found = self._found(said[0])
        head = self._page.site_map.head(found) if found else None
        return f"[{head.title}](<{self._address(said[0])}>)" if head and head.title else ""

    def _is_block(self, name: str, before: str) -> bool:
        """Whether a tag and its end stand for a block: as often, and on lines of their own."""
        return name in self._paired and name not in _CONTROL | _NOT_SHOWN and not before.rpartition("\n")[2].strip()

    def _arguments(self, tag: str, name: str) -> list[str]:
        """The quoted arguments of a tag that has no others."""
        written = tag.strip("{%-} \t\n")[len(name) :]
        if not _ARGUMENTS.fullmatch(written):
            return []
        return [(double or single).strip() for double, single in _QUOTED.findall(written) if double or single]

    def _address(self, written: str) -> str:
        """An address of the site's own; one that begins at no root is meant from it, unless it leads to a file."""
        path = written.partition("#")[0]
        is_relative = path and not re.match(r"[a-z]+:|[/.]", path, re.I)
        rooted = (
            f"/{written}" if is_relative and self._page.site_map.page(self._page.document_id, "", path) else written
        )
        return quote(rooted, safe="/:#?=&%@+,;~!$'*")

    def _found(self, written: str) -> str | None:
        return self._page.site_map.page(self._page.document_id, "", written.partition("#")[0])
