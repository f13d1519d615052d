"""Bounded YAML loader for untrusted text: plain values only, no object tags, no merges, bounded depth."""

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
    """The text is not valid YAML, or uses unsupported values."""


def _decimal(construct: Callable[[Any, Any], Any], loader: Any, node: Any) -> Any:
    """Construct a number, but keep "12:30:59" as text: YAML 1.1 reads it in base 60, in quadratic time."""
    return node.value if ":" in node.value else construct(loader, node)


class _PlainLoader(_Base):
    """Loader of safe values: tagged objects are None; ``<<`` does not merge (chains grow exponentially)."""

    def flatten_mapping(self, node: Any) -> None:
        """Leave merge keys as they are."""


_PlainLoader.add_constructor("tag:yaml.org,2002:merge", lambda loader, node: "<<")
_PlainLoader.add_multi_constructor("", lambda loader, suffix, node: None)
_PlainLoader.add_constructor("tag:yaml.org,2002:int", partial(_decimal, _Base.construct_yaml_int))
_PlainLoader.add_constructor("tag:yaml.org,2002:float", partial(_decimal, _Base.construct_yaml_float))

_UNREADABLE = (yaml.YAMLError, ValueError, ArithmeticError, LookupError, AttributeError, TypeError, RecursionError)
"""Errors of PyYAML for invalid YAML, and for tags that do not fit their value (``!!int ''``)."""


def load_yaml(text: str, most: int) -> Any:
    """Load one YAML document.

    Args:
        most: most characters of the value with its aliases expanded.

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
    """Return whether brackets or dashes nest too deep; brackets in strings count, too."""
    if _DASHES.search(text):
        return True
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{" else max(depth - 1, 0)
        if depth > DEEPEST:
            return True
    return False
