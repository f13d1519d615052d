"""Directives of MyST in fences, ````` ```{note} Title `````: those that hold text as HTML around Markdown."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from functools import partial
from html import escape

from backtrail.ingest.markdown.includes.includer import Includer, body, fenced, is_page
from backtrail.ingest.markdown.includes.selection import Selection, read_selection
from backtrail.ingest.markdown.labels import KINDS, closed, kind_label, opened, version_said
from backtrail.ingest.markdown.text_and_target import text_and_target

_OPENING = re.compile(r"^([ \t]*)(`{3,}|~{3,}|:{3,})\{([\w:.+-]{1,60})\}[ \t]*([^\n]*)$")
_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)$")
_DEEPEST = 10
_LONGEST_RESTRUCTURED = 200_000  # characters of one directive, some two seconds of docutils
_TITLED = frozenset(
    {
        "admonition",
        "dropdown",
        "card",
        "tab-item",
        "tab",
        "group-tab",
        "grid-item-card",
        "topic",
        "sidebar",
        "details",
        "theorem",
        "lemma",
        "proof",
        "definition",
        "example",
        "remark",
        "corollary",
        "proposition",
        "algorithm",
        "axiom",
        "exercise",
        "solution",
        "function",
        "class",
        "method",
        "attribute",
        "data",
        "exception",
        "option",
        "confval",
        "envvar",
        "describe",
        "module",
    }
)
_GROUPS = frozenset(
    {"tab-set", "grid", "grid-item", "margin", "epigraph", "highlights", "compound", "container", "div", "figure-md",
     "versionadded", "versionchanged", "deprecated", "glossary", "aside", "card-carousel", "pull-quote", "tabs",
     "tabbed", "panels"}
)  # fmt: skip
_CODE = frozenset(
    {"code", "code-block", "sourcecode", "code-cell", "ipython", "ipython3", "prompt", "parsed-literal", "mermaid",
     "graphviz", "math", "productionlist", "console", "doctest", "testcode"}
)  # fmt: skip
_CHUNKS = frozenset(
    {"r", "python", "julia", "ojs", "sql", "bash", "sh", "dot", "rcpp", "stan", "observable", "js", "css", "html",
     "perl", "ruby", "go", "rust", "scala", "haskell", "octave", "sas", "stata"}
)  # fmt: skip
"""Languages of the chunks that knitr and Quarto run: read as they are written, with the captions in their options."""
_SILENT = frozenset({"contents", "only", "index", "highlight", "default-role", "tableofcontents", "bibliography"})


def expand_directives(text: str, includer: Includer, depth: int = 0) -> str:
    """The text with its directives. Those that cannot be run are left out and noted on the page."""
    if not re.search(r"(?:`{3}|~{3}|:{3})\{", text) or depth > _DEEPEST:
        return text
    lines = text.split("\n")
    shown: list[str] = []
    position = 0
    while position < len(lines):
        opening = _OPENING.match(lines[position])
        if opening is None or (opening[2][0] == ":" and opening[3] not in _RENDERED):
            if _is_fence(lines[position]):
                end = _end_of_fence(lines, position)
                shown += lines[position:end]
                position = end
            else:
                shown.append(lines[position])
                position += 1
            continue
        end = _end_of_fence(lines, position)
        inside = lines[position + 1 : end - 1 if end - 1 > position and _closes(lines[end - 1], opening[2]) else end]
        shown.append(_show(opening, inside, includer, depth))
        position = end
    return "\n".join(shown)


def _is_fence(line: str) -> bool:
    return bool(re.match(r"[ \t]*(?:`{3,}[^`]*$|~{3,})", line))


def _end_of_fence(lines: list[str], start: int) -> int:
    """The line behind the one that closes the fence; behind the last one if none does."""
    match = re.match(r"[ \t]*(`{3,}|~{3,}|:{3,})", lines[start])
    mark = match[1] if match else "```"
    for position in range(start + 1, len(lines)):
        if _closes(lines[position], mark):
            return position + 1
    return len(lines)


def _closes(line: str, mark: str) -> bool:
    plain = line.strip()
    return len(plain) >= len(mark) and plain == mark[0] * len(plain)


def _show(opening: re.Match[str], inside: list[str], includer: Includer, depth: int) -> str:
    indent, _, name, argument = opening.groups()
    name = name.lower().removeprefix("py:").removeprefix("prf:")
    written_lines = [line.removeprefix(indent) for line in inside]
    options, content = _options(written_lines)
    written = "\n".join(content)
    own = f'<a id="{escape(options["name"])}"></a>\n' if options.get("name") else ""
    rendered = _RENDERED.get(name)
    if rendered is not None:
        return _indented(own + rendered(argument.strip(), options, written, includer), indent)
    if name in _CHUNKS or name.startswith("."):  # .python is a class of Pandoc's
        name = name.lstrip(".")
        return _indented("\n".join([f"```````{name}", *written_lines, "```````"]), indent)
    if name in _CODE:
        language = argument.strip().split(" ")[0] if name not in ("mermaid", "graphviz", "math") else ""
        return _indented(f"{own}```````{language}\n{written}\n```````", indent)
    if name in KINDS or name in _TITLED or name in _GROUPS:
        title = kind_label(name, "" if name in KINDS else argument) if name in KINDS else argument.strip()
        said = version_said(name, argument, goes_on=bool(written.strip()))
        leading = said if name in KINDS or said != argument else ""
        title = "" if said != argument else title
        label = "" if name in _GROUPS else title
        held = expand_directives(f"{leading.strip()}\n{written}" if leading.strip() else written, includer, depth + 1)
        return _indented(f"{opened(label)}{own}{held}{closed()}", indent)
    if name not in _SILENT:
        includer.page.leave_out("directive", name)
    return ""


def _options(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """Options at the top, as ``:key: value`` or between lines of ``---``; and the rest."""
    found: dict[str, str] = {}
    position = 0
    if lines and lines[0].strip() == "---":
        stop = next((n for n, line in enumerate(lines[1:200], 1) if line.strip() == "---"), 0)
        for line in lines[1:stop]:
            key, _, value = line.partition(":")
            found[key.strip()] = value.strip()
        position = stop + 1 if stop else 0
    while position < len(lines) and (option := _OPTION.match(lines[position])):
        found[option[1]] = option[2].strip()
        position += 1
    return found, lines[position:]


_Options = dict[str, str]


def _figure(argument: str, options: _Options, written: str, includer: Includer) -> str:
    picture = f'<img src="{escape(argument)}" alt="{escape(options.get("alt", ""))}">'
    caption = written.strip()
    return (
        f"\n\n<figure>{picture}<figcaption>\n\n{caption}\n\n</figcaption></figure>\n\n"
        if caption
        else f"\n\n{picture}\n\n"
    )


def _table(argument: str, options: _Options, written: str, includer: Includer) -> str:
    return f"\n\n<figure><figcaption>\n\n{argument}\n\n</figcaption>\n\n{written}\n\n</figure>\n\n"


def _list_table(argument: str, options: _Options, written: str, includer: Includer) -> str:
    """Rows are items, cells are items in them."""
    rows: list[list[str]] = []
    for line in written.split("\n"):
        mark = re.match(r"([ \t]*)([*-])[ \t]+([*-])(?:[ \t]+(.*))?$", line) or re.match(
            r"([ \t]+)()([*-])(?:[ \t]+(.*))?$", line
        )
        if mark and mark[2]:
            rows.append([mark[4] or ""])
        elif mark and rows:
            rows[-1].append(mark[4] or "")
        elif rows and line.strip():
            rows[-1][-1] += " " + line.strip()
    return _rows(argument, rows, options)


def _csv_table(argument: str, options: _Options, written: str, includer: Includer) -> str:
    if options.get("file"):
        read = includer.read("directive csv-table", options["file"])
        written = read[1] if read else ""
    rows = [row for row in csv.reader(written.split("\n"), skipinitialspace=True) if row]
    if options.get("header"):
        rows = [*csv.reader([options["header"]], skipinitialspace=True), *rows]
        options = {**options, "header-rows": "1"}
    return _rows(argument, rows, options)


def _rows(caption: str, rows: list[list[str]], options: _Options) -> str:
    """Rows as a table of HTML, cells as inline Markdown is not read in it: marks are dropped by the reader."""
    heads = int(options["header-rows"]) if options.get("header-rows", "").isdigit() else 0
    lines = [f"<caption>{escape(caption)}</caption>" if caption else ""]
    for number, row in enumerate(rows):
        tag = "th" if number < heads else "td"
        lines.append("<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>")
    return "\n\n<table>\n" + "\n".join(filter(None, lines)) + "\n</table>\n\n"


def _toctree(argument: str, options: _Options, written: str, includer: Includer) -> str:
    """A list of links to the pages, by their titles."""
    page = includer.page
    items: list[str] = []
    for line in map(str.strip, written.split("\n")):
        title, target = text_and_target(line)
        title = "" if title == line else title
        if not target or "*" in target or target in ("self", "genindex", "modindex", "search"):
            continue
        found = page.site_map.page(page.document_id, page.document_id.rpartition("/")[0], target)
        head = page.site_map.head(found) if found else None
        title = title or (head.title if head else "") or target
        items.append(f"- [{title}](<{target}>)")
    return "\n" + "\n".join(items) + "\n"


def _include(argument: str, options: _Options, written: str, includer: Includer) -> str:
    read = includer.read("directive include", argument, _selection(options))
    if read is None:
        return ""
    path, text = read
    if not is_page(path) or "literal" in options or "code" in options:
        return fenced(path, text)
    includer.open.append(path)
    shown = expand_directives(body(text), includer, 1)
    includer.open.pop()
    return shown


def _literal_include(argument: str, options: _Options, written: str, includer: Includer) -> str:
    read = includer.read("directive literalinclude", argument, _selection(options))
    return fenced(f"x.{options['language']}" if options.get("language") else read[0], read[1]) if read else ""


def _selection(options: _Options) -> Selection:
    if options.get("lines"):
        return read_selection(options["lines"].replace(" ", ""))
    first, last = options.get("start-line", ""), options.get("end-line", "")
    if first.isdigit() or last.isdigit():
        return Selection(ranges=((int(first) + 1 if first.isdigit() else 1, int(last) if last.isdigit() else 10**9),))
    return Selection()


def _restructured(argument: str, options: _Options, written: str, includer: Includer) -> str:
    """reStructuredText within the page, as HTML; it goes on over blank lines, which would end it here."""
    from backtrail.ingest.restructured.directives import Reading  # docutils is slow to import, and pages rarely ask
    from backtrail.ingest.restructured.parse import render

    page = includer.page
    reading = Reading(page.path, page.root, label_elsewhere=partial(page.site_map.label, page.document_id))
    try:
        markup = render(written, reading) if len(written) <= _LONGEST_RESTRUCTURED else ""
    except ValueError:
        markup = ""
    if not markup:
        page.leave_out("directive", "eval-rst")
    page.left_out.update(reading.left_out)
    return "\n\n<div>" + re.sub(r"\n[ \t]*(?=\n)", "&#10;", markup) + "</div>\n\n"


def _nothing(argument: str, options: _Options, written: str, includer: Includer) -> str:
    return ""


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" if line else line for line in text.split("\n")) if indent else text


_RENDERED: dict[str, Callable[[str, _Options, str, Includer], str]] = {
    "figure": _figure,
    "image": _figure,
    "table": _table,
    "list-table": _list_table,
    "csv-table": _csv_table,
    "toctree": _toctree,
    "include": _include,
    "literalinclude": _literal_include,
    "rubric": lambda argument, options, written, includer: f"**{argument}**\n",
    "comment": _nothing,
    "eval-rst": _restructured,
}
