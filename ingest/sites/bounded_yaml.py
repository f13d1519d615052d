"""YAML by others: plain values only, no tags that build objects, no merges that multiply, no bottomless nesting."""

from __future__ import annotations

import re
from typing import Any

import yaml

DEEPEST = 100
"""Nested brackets or dashes in one text (ours): the C parser recurses without a guard."""

_DASHES = re.compile(rf"^(?:[ \t]*[-?][ \t]+){{{DEEPEST}}}", re.M)
_BRACKETS = re.compile(r"[\[{\]}]")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableYaml(ValueError):
    """The text is no YAML, or not of a kind that is read here."""


class _PlainLoader(_Base):
    """Safe values; what a tag would build is None, and ``<<`` merges nothing (chains of it grow exponentially)."""

    def flatten_mapping(self, node: Any) -> None:
        """Leave merge keys as they are."""


_PlainLoader.add_constructor("tag:yaml.org,2002:merge", lambda loader, node: "<<")
_PlainLoader.add_multi_constructor("", lambda loader, suffix, node: None)


def load_yaml(text: str) -> Any:
    """The value of one document. Aliases share their value, so their number costs nothing.

    Raises:
        UnreadableYaml: with the parser's reason.
    """
    if _too_deep(text):
        raise UnreadableYaml(f"nested more than {DEEPEST} levels deep")
    try:
        return yaml.load(text, _PlainLoader)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise UnreadableYaml(" ".join(str(error).split())[:200]) from error


def _too_deep(text: str) -> bool:
    """Whether brackets or dashes nest too deep; brackets within texts are counted, too."""
    if _DASHES.search(text):
        return True
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{" else max(depth - 1, 0)
        if depth > DEEPEST:
            return True
    return False
