"""YAML by others: plain values only, no tags that build objects, no merges that multiply, no bottomless nesting."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import yaml

from backtrail.tools.untrusted_values import DEEPEST, check_value, too_deep

# the C parser recurses without a guard
_DASHES = re.compile(rf"^(?:[ \t]*+[-?][ \t]++){{{DEEPEST}}}", re.M)
_BRACKETS = re.compile(r"[\[{\]}]")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableYaml(ValueError):
    """The text is no YAML, or not of a kind that is read here."""


def _decimal(construct: Callable[[Any, Any], Any], loader: Any, node: Any) -> Any:
    """A number, but "12:30:59" as text: YAML 1.1 reads it to base 60, which takes quadratic time."""
    return node.value if ":" in node.value else construct(loader, node)


class _PlainLoader(_Base):
    """Safe values; what a tag would build is None, and ``<<`` merges nothing (chains of it grow exponentially)."""

    def flatten_mapping(self, node: Any) -> None:
        """Leave merge keys as they are."""


_PlainLoader.add_constructor("tag:yaml.org,2002:merge", lambda loader, node: "<<")
_PlainLoader.add_multi_constructor("", lambda loader, suffix, node: None)
_PlainLoader.add_constructor("tag:yaml.org,2002:int", partial(_decimal, _Base.construct_yaml_int))
_PlainLoader.add_constructor("tag:yaml.org,2002:float", partial(_decimal, _Base.construct_yaml_float))

_UNREADABLE = (yaml.YAMLError, ValueError, ArithmeticError, LookupError, AttributeError, TypeError, RecursionError)
"""What PyYAML raises for texts that are no YAML, and for tags that do not fit their value (``!!int ''``)."""


def load_yaml(text: str, most: int) -> Any:
    """The value of one document.

    Args:
        most: characters of the value with its aliases written out.

    Raises:
        ValueTooLarge: it is larger, nested too deep, or has a number of too many digits.
        UnreadableYaml: with the parser's reason.
    """
    if _is_too_deep(text):
        raise too_deep()
    try:
        value = yaml.load(text, _PlainLoader)
    except _UNREADABLE as error:
        raise UnreadableYaml(" ".join(str(error).split())[:200]) from error
    check_value(value, most)
    return value


def _is_too_deep(text: str) -> bool:
    """Whether brackets or dashes nest too deep; brackets within texts are counted, too."""
    if _DASHES.search(text):
        return True
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{" else max(depth - 1, 0)
        if depth > DEEPEST:
            return True
    return False
