"""MDX imports and exports: names of imported pages are kept, the statements dropped."""

from __future__ import annotations

import re

from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.prose import split_fences

# off: 67 of 2,893 Markdown pages show imports, or take indented text for code
_BEGIN = re.compile(r"(?:\s*<!--[^>]{0,500}-->){0,9}\s*import\s[^\n]{0,500}[\"']")
_STATEMENT = re.compile(r"(?:(?<=-->\n)|(?<![^\n]\n))^(?:import|export)[\s{][^\n]*(?:\n[^\n]*\S[^\n]*)*\n?", re.M)
_PARTIAL = re.compile(r"^import\s+(\w+)\s+from\s+[\"']([^\"'\n]+\.mdx?)[\"']", re.M)


def is_mdx(text: str, name: str) -> bool:
    """Return whether a page is MDX: by its file's name, or because it begins with an import."""
    return name.lower().endswith(".mdx") or _BEGIN.match(text) is not None


def without_statements(text: str, includer: Includer) -> str:
    """Drop imports and exports, each up to a blank line; imported pages go to ``includer``."""
    includer.imported |= dict(_PARTIAL.findall(text))
    return "".join(part if is_code else _STATEMENT.sub("", part) for is_code, part in split_fences(text))
