"""MDX and Vue components in a page: imports and scripts out, known components as what they show, others unwrapped."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html import escape

from backtrail.ingest.html.rewrites.pictures import DRAWN
from backtrail.ingest.markdown.exported.page_values import PageValues
from backtrail.ingest.markdown.exported.statements import end_of_statement
from backtrail.ingest.markdown.includes.includer import Includer, body, fenced, is_page
from backtrail.ingest.markdown.jsx_indents import JsxIndents
from backtrail.ingest.markdown.labels import kind_label, label_open
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.prose import outside_spans, split_fences
from backtrail.ingest.markdown.said_by_attributes import said_by_attributes
from backtrail.ingest.markdown.template_literals import without_template_literals

_LONGEST = 20_000
_MODULE = re.compile(
    r"^(?:import\s[^\n]{0,500}?[\"'][^\"'\n]{1,500}[\"'];?|import\s*\{"
    r"|export\s+(?:const|let|default|function|async|\{|\*|class))",
    re.M,
)
_IMPORT = re.compile(r"^import\s+(?:\w+\s*,\s*)?(?:\{?\s*)(\w+)[^\"'\n]*?[\"'](?:!![^\"'\n]*!)?([^\"'\n]+)[\"']", re.M)
_EXPORT = re.compile(r"^export\s", re.M)
_BLANK = re.compile(r"\n[ \t]*(?=\n)")
_MOST_ENDLESS = 20
"""Exports of a page that may be looked through to their end."""
_COMMENTS = re.compile(r"\s*+(?:<!--[^>]{0,500}-->\s*+)*+")
_TAG = re.compile(r"<(/?)(?:(?<=/)[ \t]*)?([A-Za-z][\w.-]*)(?=[\s/>])")
_ATTRIBUTE = re.compile(r"""([\w:@.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{))?""")
_TEXT = re.compile(r"""\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)\s*""")
_SOURCE = re.compile(r"""(?:require|useBaseUrl|withBase|new URL)\s*\(\s*["'`]([^"'`]+)["'`]""")
_RELATIVE = re.compile(r"""(\]\(\s{0,9}<?|\s(?:href|src)=["'])(\.{1,2}/[^)\s>#?"']*[^)\s>#?"'/])""")
_HTML_JSX = re.compile(r"\s(?:className|style|on[A-Z]\w*|[\w-]+)\s*=\s*\{")
_READ = re.compile(r"\.(mdx?|markdown|txt|py|rs|ts|js|json|ya?ml|toml|sh)$")
_SIGN = re.compile(r"[<>\"'{]")
_BRACE = re.compile(r"[{}]")
_AROUND = re.compile(
    r"^[ \t]*+</?(?:div|section|article|aside|main|center|details|blockquote|table|tbody|tr|td|th|li|dd)\b[^<>\n]*>"
    r"[ \t]*$",
    re.M,
)
"""Tags on lines of their own: MDX reads what stands between them as Markdown, which needs blank lines elsewhere."""
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif)$", re.I)
_PICTURES = re.compile(r"image|img|picture|photo|figure|screenshot|thumb", re.I)
_GROUPS = frozenset({"Tabs", "CodeGroup", "Steps", "Cards", "CardGroup", "Columns", "Grid", "Fragment", "CodeTabs"})
_TITLED = frozenset({"TabItem", "Tab", "Step", "Card", "Accordion", "Details", "LinkCard", "Collapse", "FileTree"})
_ALERTS = frozenset({"Admonition", "Callout", "Aside", "Alert", "Note", "Tip", "Info", "Warning", "Danger", "Caution"})
_LABELS = ("label", "title", "header", "summary", "name", "value")


def expand_components(text: str, includer: Includer) -> str:
    """The text with components as Markdown and HTML, where pages have any."""
    page = includer.page
    is_mdx = page.path.suffix.lower() == ".mdx" or page.site.flavour == "docusaurus" or _looks_like_mdx(text)
    if not is_mdx and page.site.flavour != "vitepress":
        return text
    reader = _Reader(includer, is_mdx)
    page.is_mdx |= is_mdx
    if is_mdx:
        text = reader.without_modules(text)
    return "".join(part if is_code else reader.prose(part) for is_code, part in split_fences(text))


def _looks_like_mdx(text: str) -> bool:
    first = _MODULE.search(text[:5000])
    return bool(first) and first is not None and text[: first.start()].strip() == ""


class _Reader:
    """The stretches of one page outside fenced code, one after the other."""

    def __init__(self, includer: Includer, is_mdx: bool) -> None:
        self._includer = includer
        self._page: Page = includer.page
        self._is_mdx = is_mdx
        self._imported: dict[str, str] = {}
        self._values = PageValues(includer, self._unwrap)
        self._indents = JsxIndents()
        self._choices: dict[str, str] = {}  # labels of tabs by their values
        self._titled: dict[str, list[bool]] = {}  # whether components that are open now became a named block

    def prose(self, text: str) -> str:
        """One stretch outside fences, with what its components show."""
        if self._is_mdx:
            text = without_template_literals(text)
            text = self._values.name_given(text) if "={" in text else text
            text = _AROUND.sub(r"\n\g<0>\n", text)
        shown = outside_spans(text, self._unwrap) if "<" in text or "{" in text else text
        return self._indents.taken_off(shown) if self._is_mdx else shown

    def without_modules(self, text: str) -> str:
        """Without imports and exports; what is imported, and the values that are exported, are remembered."""
        kept: list[str] = []
        for is_module, part in _modules(text):
            if not is_module:
                kept.append(part)
                continue
            self._imported |= {name: path.replace("\\", "") for name, path in _IMPORT.findall(part)}
            kept.append(part[_end_of_imports(part) :] if part.startswith("import") else "")
            self._values.export(part)
        self._values.begin(text := "".join(kept), self._imported)
        return text

    def _unwrap(self, text: str) -> str:
        pieces: list[str] = []
        position = 0
        for start, end, shown in self._marks(text):
            if start < position:
                continue
            pieces += [text[position:start], shown]
            position = end
        return "".join([*pieces, text[position:]])

    def _marks(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Tags and expressions in order: where each starts and ends, and what stands for it."""
        braces = _braces(text)
        position = 0
        for match in re.finditer(r"[<{]", text):
            start = match.start()
            if start < position or (start and text[start - 1] == "\\"):
                continue
            if match[0] == "<":
                tag = _TAG.match(text, start)
                end = _tag_end(text, tag.end(), braces) if tag else -1
                shown = self._tag(tag, text[tag.end() : end]) if tag and end > 0 else None
            else:
                end = braces.get(start, -1) if self._is_mdx else -1
                shown = self._expression(text[start + 1 : end - 1]) if end > 0 else None
            if shown is not None:
                yield start, end, shown
                position = end

    def _expression(self, code: str) -> str | None:
        """A literal text, or nothing. Attribute lists such as ``{#id}`` are none."""
        if re.match(r"\s*[#.:][\w-]", code) or re.match(r"\s*/\*\s*#", code):
            return None
        text = _TEXT.fullmatch(code)
        if text:
            return next((part for part in text.groups() if part is not None), "")
        if (shown := self._values.expression(code)) is not None:
            return shown
        if not code.strip().startswith("/*"):
            self._page.leave_out("expression", "")
        return ""

    def _tag(self, tag: re.Match[str], rest: str) -> str | None:
        """What stands for a tag: HTML stays, with literal attributes only; None leaves it untouched."""
        slash, name = tag[1], tag[2]
        is_component = name[0].isupper() or "." in name
        if not is_component:
            return self._html(slash, name, rest) if _HTML_JSX.search(rest) else None
        closes_itself = rest.rstrip(">").endswith("/")
        expressions = _expressions(rest)
        attributes = _attributes(rest) | self._values.texts(expressions)
        is_page = closes_itself and self._imported.get(name, "").endswith((".md", ".mdx"))
        if name in _GROUPS | _TITLED | _ALERTS and not is_page:
            if slash:
                return "\n\n</div>\n\n"
            self._choices |= self._values.options(expressions.get("values", ""))
            opened = f"\n\n{label_open(self._label(name, attributes))}\n\n"
            opened += "" if "values" in expressions else self._values.shown(name, expressions)
            return opened + ("</div>\n\n" if closes_itself else "")
        if slash:
            return "\n\n</div>\n\n" if self._titled.get(name) and self._titled[name].pop() else ""
        if closes_itself and _READ.search(self._imported.get(name, "")):
            return self._include(name)
        if name in ("CodeBlock", "Code") and not closes_itself:
            return ""
        if name in ("Image", "ThemedImage", "Figure", "ZoomImage") and attributes.get("src"):
            return self._html("", "img", rest)
        if name in ("Link", "NavLink", "A") and (target := attributes.get("to") or attributes.get("href")):
            return f'<a href="{target}">'
        alone = not tag.string[tag.string.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip()
        held = self._values.shown(name, expressions)
        return self._unknown(name, attributes, closes_itself, alone, held)

    def _unknown(self, name: str, attributes: dict[str, str], closes_itself: bool, alone: bool, held: str) -> str:
        """A component of the site's own: what it holds is shown, below its title if it has one, and what it says."""
        title = "" if closes_itself else attributes.get("title") or attributes.get("summary") or ""
        if not closes_itself:
            self._titled.setdefault(name, []).append(bool(title))
        if title:
            return f"\n\n{label_open(title)}\n\n{held}"
        if attributes.get("alt"):
            source = attributes.get("src") or next(filter(_PICTURE.search, attributes.values()), "")
            if source or _PICTURES.search(name):
                shown = {"src": source, "alt": attributes["alt"], "title": attributes.get("caption", "")}
                written = "".join(f' {key}="{escape(value)}"' for key, value in shown.items() if value or key == "src")
                return f"<img{written}{'' if source else f' {DRAWN}'}>{held}"
        if said := said_by_attributes(attributes, alone) if closes_itself or alone else "":
            return said + held if closes_itself else f"{said}\n\n{held}"
        if held:
            return held
        self._page.leave_out("component", name)
        return ""

    def _label(self, name: str, attributes: dict[str, str]) -> str:
        title = next((attributes[key] for key in _LABELS if attributes.get(key)), "")
        if "label" not in attributes and "title" not in attributes:
            title = self._choices.get(title, title)
        if name in _ALERTS:
            title = attributes.get("title", "")
            kind = attributes.get("type") or attributes.get("kind") or ("" if name in _GENERIC else name)
            return kind_label(kind, title)
        return "" if name in _GROUPS else title

    def _html(self, slash: str, name: str, rest: str) -> str:
        """An HTML tag with those of its attributes whose value stands there."""
        closing = " /" if rest.rstrip(">").endswith("/") else ""
        kept = {key: value for key, value in _attributes(rest).items() if value and key not in ("style", "className")}
        written = "".join(f' {key}="{value.replace(chr(34), "&quot;")}"' for key, value in kept.items())
        return f"<{slash}{name}{written}{closing}>"

    def _include(self, name: str) -> str:
        """An imported page in the place of its component."""
        source = self._imported[name]
        read = self._includer.read("component", source)
        if read is None:
            return ""
        path, text = read
        if not is_page(path):
            return f"\n\n{fenced(path, text)}\n\n"
        self._includer.open.append(path)
        folder = posixpath.relpath(posixpath.dirname(path) or ".", posixpath.dirname(self._page.document_id) or ".")
        shown = expand_components(_rebased(body(text), folder), self._includer)
        self._includer.open.pop()
        return f"\n\n{shown}\n\n"


def _rebased(text: str, folder: str) -> str:
    """A page whose relative links count from another folder, as an imported page's do."""

    def rebase(link: re.Match[str]) -> str:
        return link[1] + posixpath.normpath(posixpath.join(folder, link[2]))

    return "".join(
        part if code else outside_spans(part, lambda prose: _RELATIVE.sub(rebase, prose))
        for code, part in split_fences(text)
    )


_GENERIC = frozenset({"Admonition", "Callout", "Aside", "Alert"})


def _modules(text: str) -> Iterator[tuple[bool, str]]:
    """The text in stretches: whether it is a statement of a module, and the stretch. Code in fences has none."""
    kept = place = endless = 0
    for is_code, part in split_fences(text):
        starts = [] if is_code else [place, *(place + blank.end() for blank in _BLANK.finditer(part))]
        place += len(part)
        for begin in starts:
            comments = _COMMENTS.match(text, begin)
            start = comments.end() if comments else begin
            if start < kept or not _MODULE.match(text, start):
                continue
            yield False, text[kept:start]
            kept = start
            for end in _ends(text, start, closed=endless < _MOST_ENDLESS):
                endless += text[end - 1 : end] not in "})];"
                yield True, text[kept:end]
                kept = end
    yield False, text[kept:]


def _ends(text: str, start: int, *, closed: bool) -> Iterator[int]:
    """Where the imports end that a block begins with, and where its exports do: they may hold blank lines."""
    blank = _BLANK.search(text, start)
    end = blank.start() if blank else len(text)
    export = _EXPORT.search(text, start, end)
    if export and export.start() > start:
        yield export.start()
    yield end_of_statement(text, export.start()) if export and closed else end


def _end_of_imports(block: str) -> int:
    """Where the last import statement of a block ends: text may follow without a blank line."""
    end = 0
    for match in re.finditer(
        r"^\s{0,200}(?:import|export)\b[^;{\n]*(?:\{[^}]{0,500}\}[^;\n]*)?;?[ \t]*(?:\n|$)", block, re.M
    ):
        if match.start() > end + 1:
            break
        end = match.end()
    return end or len(block)


def _tag_end(text: str, start: int, braces: dict[int, int]) -> int:
    """Behind the ``>`` of a tag, passing over quotes and braces; -1 if there is none before the next tag."""
    position = start
    while sign := _SIGN.search(text, position):
        char, position = sign[0], sign.end()
        if char == ">":
            return position if position - start <= _LONGEST else -1
        if char == "<":
            return -1
        position = braces.get(position - 1, 0) if char == "{" else text.find(char, position) + 1
        if position <= 0:
            return -1
    return -1


def _braces(text: str) -> dict[int, int]:
    """For each brace that opens, the place behind the one that closes it, as far as they are near."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            waiting.append(brace.start())
        elif waiting and brace.end() - (start := waiting.pop()) <= _LONGEST:
            found[start] = brace.end()
    return found


def _attributes(rest: str) -> dict[str, str]:
    """The attributes of a tag that have a literal value, or whose expression names one."""
    found: dict[str, str] = {}
    for name, value, code in _written(rest):
        if code is not None:
            text, source = _TEXT.fullmatch(code), _SOURCE.search(code)
            value = next((part for part in text.groups() if part), "") if text else source[1] if source else ""
        found.setdefault(name, value)
    return found


def _expressions(rest: str) -> dict[str, str]:
    """The code of attributes that have any."""
    return {name: code for name, _, code in _written(rest) if code is not None} if "{" in rest else {}


def _written(rest: str) -> Iterator[tuple[str, str, str | None]]:
    """The attributes of a tag: name, value in quotes, and code in braces."""
    braces = _braces(rest)
    position = 0
    while match := _ATTRIBUTE.search(rest, position):
        position = match.end()
        code = None
        if match[0].endswith("{"):
            position = braces.get(match.end() - 1, -1)
            if position < 0:
                return
            code = rest[match.end() : position - 1]
        value = match[2] if match[2] is not None else match[3]
        yield match[1].lower() if match[1] != "className" else match[1], value or "", code
