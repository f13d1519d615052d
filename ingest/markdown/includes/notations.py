"""How generators write that a file is to be included, and its text in place of that."""

from __future__ import annotations

import re
from collections.abc import Callable

from backtrail.ingest.markdown.includes.includer import Includer, body, fenced, is_page
from backtrail.ingest.markdown.includes.selection import Selection, read_selection
from backtrail.ingest.markdown.prose import outside_spans, split_fences

_MDBOOK = re.compile(r"(\\)?\{\{#(include|rustdoc_include|playground|playpen|title)[ \t]+([^{}\n]{1,500}?)[ \t]*\}\}")
_SNIPPET = re.compile(r"^([ \t]*)(;?)-+8<-+[ \t]+([\"'])([^\"'\n]{1,500})\3[ \t]*$", re.M)
_SNIPPETS = re.compile(r"^([ \t]*)-+8<-+[ \t]*\n((?:[^\n]{0,500}\n){0,100}?)[ \t]*-+8<-+[ \t]*$", re.M)
_MARKDOWN_INCLUDE = re.compile(r"\{!>?[ \t]*([^!\n]{1,500}?)[ \t]*!\}")
_CODE_INCLUDE = re.compile(r"^([ \t]*)\{\*[ \t]+(\S{1,500})([^*\n]{0,300})\*\}", re.M)
_VITEPRESS = re.compile(r"<!--[ \t]*@include:[ \t]*([^\n{}#]{1,500}?)(?:#([\w-]+))?(?:\{([\d,:-]*)\})?[ \t]*-->")
_VITEPRESS_CODE = re.compile(r"^([ \t]*)<<<[ \t]+([^\s{}#]{1,500})(?:#([\w-]+))?[^\n]{0,200}$", re.M)
_TAG = re.compile(r"(?<!\{)\{%-?[ \t\n]{0,9}(include(?:-markdown|_relative|_cached)?)[ \t\n]([^%]{1,1000}?)-?%\}")
_NAME = re.compile(r"[\"']([^\"']+)[\"']|(\S+)")
_LINES = re.compile(r"\bln\[([\d:,]*)\]")
_Included = Callable[..., str]
_COLON = re.compile(r"^(.+?)(:(?:[\w-]+|\d*:\d*|-?\d+)(?:,\d*:?\d*)*)?$")


def expand_includes(text: str, includer: Includer) -> str:
    """The text with every included file in its place, in code as well as outside; code that is not there is fenced."""
    if not any(sign in text for sign in ("{{#", "8<", "{!", "{*", "@include", "<<<", "{%")):
        return text
    return "".join(_expand(part, includer, in_code=is_code) for is_code, part in split_fences(text))


def _expand(text: str, includer: Includer, *, in_code: bool) -> str:
    def included(kind: str, name: str, selection: Selection, indent: str = "", as_code: bool = in_code) -> str:
        read = includer.read(kind, name, selection)
        if read is None:
            return ""
        path, part = read
        if as_code:
            return _indented(part, indent)
        if not is_page(path):
            return _indented(fenced(path, part), indent)
        includer.open.append(path)
        part = expand_includes(body(part), includer)
        includer.open.pop()
        return _indented(part, indent)

    text = _snippets(_mdbook(text, included), included)
    if in_code:
        return _markdown_includes(text, included)
    return outside_spans(text, lambda prose: _in_prose(prose, includer, included))


def _in_prose(text: str, includer: Includer, included: _Included) -> str:
    return _tags(_vitepress(_markdown_includes(text, included), included), includer, included)


def _mdbook(text: str, included: _Included) -> str:
    def replace(match: re.Match[str]) -> str:
        if match[1] or match[2] == "title":
            return match[0].removeprefix("\\") if match[1] else ""
        path, _, rest = match[3].split(",")[0].split()[0].partition(":")
        return included("include", path, read_selection(rest))

    return _MDBOOK.sub(replace, text) if "{{#" in text else text


def _snippets(text: str, included: _Included) -> str:
    def one(written: str, indent: str) -> str:
        name = _COLON.match(written.strip())
        path, rest = (name[1], (name[2] or "")[1:]) if name else (written, "")
        rest += ":" if rest.isdigit() else ""  # from that line on
        return included("snippet", path, read_selection(rest), indent)

    def single(match: re.Match[str]) -> str:
        return match[0].replace(";", "", 1) if match[2] else one(match[4], match[1])

    def several(match: re.Match[str]) -> str:
        names = [name.strip() for name in match[2].splitlines()]
        return "\n".join(one(name, match[1]) for name in names if name and not name.startswith(";"))

    return _SNIPPETS.sub(several, _SNIPPET.sub(single, text)) if "8<" in text else text


def _markdown_includes(text: str, included: _Included) -> str:
    def code(match: re.Match[str]) -> str:
        lines = _LINES.search(match[3])
        return included("include", match[2], read_selection(lines[1] if lines else ""), match[1])

    if "{!" in text:
        text = _MARKDOWN_INCLUDE.sub(lambda match: included("include", match[1], Selection()), text)
    return _CODE_INCLUDE.sub(code, text) if "{*" in text else text


def _vitepress(text: str, included: _Included) -> str:
    def page(match: re.Match[str]) -> str:
        return included("include", match[1], read_selection(match[2] or (match[3] or "").replace(",", ":")))

    def code(match: re.Match[str]) -> str:
        return included("include", match[2], Selection(region=match[3] or ""), match[1])

    if "@include" in text:
        text = _VITEPRESS.sub(page, text)
    return _VITEPRESS_CODE.sub(code, text) if "<<<" in text else text


def _tags(text: str, includer: Includer, included: _Included) -> str:
    """Tags of template languages; one whose file is not there is left to who evaluates the others."""

    def replace(match: re.Match[str]) -> str:
        name = _NAME.search(match[2])
        written = (name[1] or name[2]) if name else ""
        return included(match[1], written, Selection()) if includer.find(written) else match[0]

    return _TAG.sub(replace, text) if "{%" in text else text


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" if line else line for line in text.split("\n")) if indent else text
