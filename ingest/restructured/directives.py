"""Directives and roles of Sphinx for docutils, and bounded includes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.statemachine import StringList

from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.labels import VERSIONS
from backtrail.ingest.sites.labels import Label
from backtrail.state.text.whitespace import bound_whitespace

# off: 112 of 533 reStructuredText pages show entries of the index and the like as text
_SILENT = re.compile(
    r"index|highlight|meta|\w*class|\w*author|(?:py:)?(?:current)?module|tabularcolumns|test(?:setup|cleanup)"
)
# off: 19 of 533 show the source of what Sphinx generates
_GENERATED = re.compile(r"auto\w+|plantuml|graphviz|mermaid|uml|digraph|graph|program-output|command-output|jinja")
_NAMED = re.compile(r"(?:[\w-]+-)?(?:tab|card)(?:-item)?|dropdown|details|collapse")
"""Directives whose argument is the title of their content, such as a tab. Off: 17 of 533 pages lose sections."""

_GROUPS = frozenset({"only", "tabs", "tab-set", "grid"})
"""Directives whose argument is no text. Off: 2 of 533 pages show conditions and numbers of columns."""

_TARGET = re.compile(r"(.*?)\s*<([^<>]+)>\s*", re.S)


@dataclass
class Reading:
    """State of one page that is being parsed: includes, its own labels and those of other pages."""

    includer: Includer
    label_elsewhere: Callable[[str], Label | None]
    labels: set[str] = field(default_factory=set)


def register(text: str) -> None:
    """Register a fallback for every unknown directive and role that a text uses."""
    directives.register_directive("include", _Include)
    directives.register_directive("literalinclude", _Include)
    for name in set(re.findall(r"^[^\S\n]*\.\. ([\w:.+-]{1,80})::", text, re.M)):
        if not _is_known(name):
            directives.register_directive(name, _Any)
    for name in set(re.findall(r":([\w:.+-]{1,80}):`", text)):
        if name not in _OWN_ROLES:
            roles.register_local_role(name, _role)  # pyright: ignore[reportArgumentType]


_OWN_ROLES = frozenset({
    "emphasis", "strong", "literal", "math", "code", "subscript", "sub", "superscript", "sup", "title-reference",
    "title", "t", "pep-reference", "PEP", "rfc-reference", "RFC", "raw",
})  # fmt: skip


def _is_known(name: str) -> bool:
    from docutils.parsers.rst.languages import en

    return name in en.directives or name in ("include", "literalinclude")


def _reading(directive: Directive) -> Reading:
    return directive.state.document.settings.reading


class _Options(dict[str, Any]):
    """Options of any name."""

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class _Include(Directive):
    """Include of a file: as part of the page, or as a literal block."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = _Options(any=directives.unchanged)

    def run(self) -> Sequence[nodes.Node]:
        """Insert the file's lines into the page, or return a literal block."""
        text = _reading(self).includer.shown("include", self.arguments[0], lambda text, _: text, as_it_is=True)
        text = bound_whitespace(text)
        if self.name == "literalinclude" or {"literal", "code"} & self.options.keys():
            return [nodes.literal_block(text, text)]
        register(text)
        lines = text.splitlines()
        self.state_machine.insert_input(lines, self.arguments[0])
        return []


class _Any(Directive):
    """Fallback for directives unknown to docutils: shows argument and content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = _Options(any=directives.unchanged)

    def run(self) -> Sequence[nodes.Node]:
        """Return a toctree as links, tested code as code, others as argument and content."""
        name = self.name.lower()
        if _SILENT.fullmatch(name):
            return []
        if _GENERATED.fullmatch(name):
            _reading(self).includer.page.leave_out("directive", name)
            return []
        if name == "toctree":
            return self._contents()
        if name in ("testcode", "testoutput"):
            code = "\n".join(self.content)
            return [nodes.literal_block(code, code)]
        heading = " ".join(self.arguments[0].split()) if self.arguments and name not in _GROUPS else ""
        heading = f"{VERSIONS[name]} {heading}" if name in VERSIONS else heading
        line, _ = self.state.inline_text(heading, self.lineno)
        if heading and self.content and _NAMED.fullmatch(name):
            holder: nodes.Element = nodes.admonition("", nodes.title("", "", *line))
        else:
            holder = nodes.container()
            holder += [nodes.paragraph("", "", nodes.strong("", "", *line))] if heading else []
        self.state.nested_parse(self.content, self.content_offset, holder)
        return [holder] if len(holder) else []

    def _contents(self) -> Sequence[nodes.Node]:
        made = nodes.bullet_list()
        for entry in StringList(self.content):
            found = _TARGET.fullmatch(entry.strip())
            name, target = (found.group(1), found.group(2)) if found else (entry.strip(), entry.strip())
            if target and "*" not in target and target != "self":
                link = nodes.reference("", name, refuri=page_address(target))
                made += nodes.list_item("", nodes.paragraph("", "", link))
        return [made] if len(made) else []


def page_address(name: str) -> str:
    """Return the file of a Sphinx page name."""
    if re.match(r"[a-z]+:", name):
        return name
    return name if posixpath.splitext(name)[1] in (".rst", ".md", ".html") else f"{name}.rst"


def _role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Render a role unknown to docutils: a link to a page or label, else its text, mostly as code."""
    found = _TARGET.fullmatch(text)
    words, target = (found.group(1), found.group(2)) if found else (text, text)
    kind = name.rpartition(":")[2]
    if kind == "doc":
        return [nodes.reference(rawtext, words, refuri=page_address(target))], []
    if kind == "download":
        return [nodes.reference(rawtext, words, refuri=target)], []
    if kind in ("ref", "numref"):
        return [_reference(rawtext, words, target, inliner.document.settings.reading, named=found is not None)], []
    shown = words.removeprefix("!")
    shown = shown.rpartition(".")[2] if shown.startswith("~") else shown
    return [nodes.literal(rawtext, shown)], []


def _reference(rawtext: str, words: str, target: str, reading: Reading, *, named: bool) -> nodes.Node:
    """Return a link to a label, with the heading there as text unless ``named``."""
    label = nodes.fully_normalize_name(target)
    elsewhere = reading.label_elsewhere(label)
    if elsewhere is not None and elsewhere.heading and not named:
        words = elsewhere.heading
    if label in reading.labels:
        return nodes.reference(rawtext, words, refid=nodes.make_id(label))
    if elsewhere is not None:
        return nodes.reference(rawtext, words, refuri=f"#{elsewhere.fragment}")
    return nodes.inline(rawtext, words)
