"""Template literals of MDX, ``a={`text`}`` and ``{`text`}``: their backticks enclose text, and no code of Markdown."""

from __future__ import annotations

import re
from html import escape

_LONGEST = 20_000
_ATTRIBUTE = re.compile(rf"(?<=\s)([\w:@.-]+=)\{{\s*+`([^`]{{0,{_LONGEST}}})`\s*+\}}")
_ALONE = re.compile(rf"(?<![=\w`$])\{{\s*+`([^`]{{0,{_LONGEST}}})`\s*+\}}")


def without_template_literals(text: str) -> str:
    """The same with attributes in quotes, and with the text of other literals as it is shown."""
    if "`" not in text or "{" not in text:
        return text
    return _ALONE.sub(_shown, _ATTRIBUTE.sub(_quoted, text))


def _quoted(literal: re.Match[str]) -> str:
    name, value = literal.groups()
    quote = next((sign for sign in "\"'" if sign not in value), "")
    return f"{name}{quote}{value}{quote}" if quote else literal[0]


def _shown(literal: re.Match[str]) -> str:
    """On one line, as text of an element that a blank line would end; braces would be read as expressions."""
    value = escape(re.sub(r"\s+", " ", literal[1]), quote=False)
    return value.replace("{", "&#123;").replace("}", "&#125;")
