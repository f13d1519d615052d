"""The values of one page: what it exports, imports as a file, or hands to a component in place, each shown once."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

from backtrail.ingest.markdown.exported.literals import (
    Value,
    length_of,
    value_at,
    value_of,
    value_of_json,
)
from backtrail.ingest.markdown.exported.shown_values import MOST_CHARACTERS, MOST_VALUES, ShownValues, said_in_line
from backtrail.ingest.markdown.exported.statements import exported_values
from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.said_by_attributes import is_prop

_PATH = r"[A-Za-z_$][\w$]*(?:\??\.[\w$]+|\[\d{1,4}\])*"
_NAMED = re.compile(rf"[={{(]\s*\{{?\s*(?:\.\.\.|Object\.\w+\(\s*)?({_PATH})")
_LISTED = re.compile(rf"\s*(?:\[?\.\.\.)?(?:Object\.\w+\(\s*)?({_PATH})\s*(?:[\])(]|$)")
_METHOD = re.compile(
    r"\??\.(?:map|flatMap|filter|slice|sort|toSorted|concat|reverse|join|keys|entries|values|forEach)$"
)
_OPENED = re.compile(r"^[ \t]*<[A-Z][\w.]*+(?=\s)", re.M)
_ATTRIBUTE = re.compile(r"\s+([\w:-]+)(?:=(?:\"[^\"]*\"|'[^']*'|(\{)))?")
_VALUE = re.compile(r"\s*[\[{(<]")
_RUN = re.compile(r"\b(?:require|useBaseUrl|withBase|URL)\s*\(|=>")
_FOR_MACHINES = re.compile(r"Structured|Schema|Json-?Ld|Seo\b|SEO|Helmet|^Head$|^Meta", re.I)
"""Components that say the page's texts once more, to search engines."""
_DEFAULT = re.compile(r"^[ \t]*(?:export\s+default|module\.exports\s*=)\s*", re.M)
_FILES = re.compile(r"\.(?:json|[cm]?[jt]sx?)$")
_MOST_ENDLESS = 20
"""Values of a stretch of text that may be looked through to their end."""
_SUFFIXES = ("", ".ts", ".js", ".tsx", ".jsx", ".json", ".mjs")


class PageValues:
    """What the names of one page stand for.

    Args:
        unwrap: reads JSX.
    """

    def __init__(self, includer: Includer, unwrap: Callable[[str], str]) -> None:
        self._includer = includer
        self._values = ShownValues(unwrap)
        self._known: dict[str, Value] = {}
        self._imported: Mapping[str, str] = {}
        self._named: set[str] = set()
        self._shown: set[str] = set()

    def export(self, code: str) -> None:
        """Remember the values of one statement."""
        self._known |= exported_values(code, self._known)

    def begin(self, text: str, imported: Mapping[str, str]) -> None:
        """Remember what the page calls by name, and where its imports come from."""
        self._imported = imported
        self._named = {_METHOD.sub("", path) for path in _NAMED.findall(text)}

    def name_given(self, text: str) -> str:
        """The text with each list or object that a component is given in place called by a name."""
        pieces: list[str] = []
        done = endless = 0
        for opened in _OPENED.finditer(text):
            position = opened.end()
            while position >= done and endless < _MOST_ENDLESS and (attribute := _ATTRIBUTE.match(text, position)):
                start, position = attribute.end(), attribute.end()
                if not attribute[2]:
                    continue
                end = length_of(text, start - 1)
                if end < 0:
                    endless += 1
                    break
                position = end
                code = text[start : end - 1]
                if not _VALUE.match(code) or is_prop(attribute[1]) or _RUN.search(code):
                    continue
                if isinstance(value := value_of(code, self._known), (list, dict)) and value:
                    name = f"given_{len(self._known)}_"
                    self._known[name] = value
                    pieces += [text[done:start], name, "}"]
                    done = end
        return "".join([*pieces, text[done:]])

    def texts(self, expressions: Mapping[str, str]) -> dict[str, str]:
        """The attributes whose expression names a text."""
        said = {name: said_in_line(self._value(code.strip())) for name, code in expressions.items()}
        return {name: text for name, text in said.items() if text}

    def options(self, expression: str) -> dict[str, str]:
        """Labels by value, of a list of choices: ``[{label: "On Linux", value: "linux"}]``."""
        choices = self._value(expression.strip())
        entries = [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
        named = {said_in_line(one.get("value")): said_in_line(one.get("label")) for one in entries}
        return {value: label for value, label in named.items() if value and label}

    def shown(self, component: str, expressions: Mapping[str, str]) -> str:
        """What a component is given, as Markdown; what an exported one is made of. Each value once."""
        if _FOR_MACHINES.search(component):
            return ""
        paths = [code.strip() for name, code in expressions.items() if not is_prop(name)]
        return "".join(self._show(path) for path in (component, *paths) if re.fullmatch(_PATH, path))

    def expression(self, code: str) -> str | None:
        """What an expression in the text shows; None where that cannot be told."""
        named = _LISTED.match(code)
        if named is None:
            return None
        path = _METHOD.sub("", named[1])
        value = self._value(path)
        if value is None:
            return None
        return value if isinstance(value, str) and said_in_line(value) else self._show(path)

    def _show(self, path: str) -> str:
        value = self._value(path)
        if path in self._shown or value is None or isinstance(value, str):
            return ""
        self._shown.add(path)
        if isinstance(value, dict):
            value = {key: one for key, one in value.items() if f"{path}.{key}" not in self._named}
        shown = self._values.of(value)
        if self._values.is_full:
            self._includer.page.leave_out("values", f"beyond {MOST_VALUES:,} or {MOST_CHARACTERS:,} characters")
        return shown

    def _value(self, path: str) -> Value:
        name = re.match(r"[\w$]+", path)
        if name and name[0] not in self._known and name[0] in self._imported:
            self._known[name[0]] = self._file(name[0], self._imported[name[0]])
        return value_at(path, self._known) if name else None

    def _file(self, name: str, written: str) -> Value:
        """What a file of the folder gives under a name."""
        found = next((path for end in _SUFFIXES if (path := self._includer.find(f"{written}{end}"))), "")
        if not _FILES.search(posixpath.basename(found)):
            return None
        read = self._includer.read("import", found if found.startswith("/") else f"/{found}")
        if read is None:
            return None
        if found.endswith(".json"):
            return value_of_json(read[1])
        values = exported_values(read[1], {})
        default = _DEFAULT.search(read[1])
        own = value_of(read[1][default.end() :], values) if default else None
        return values.get(name) if values.get(name) is not None else own
