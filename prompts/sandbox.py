"""The template language of prompts: ``{{ }}``, ``{% for %}`` and ``{% if %}`` on one input, nothing else.

Conditions and computing belong in code, where they are typed and tested; so the rest of Jinja is refused when a prompt
is loaded, not when it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, Undefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from backtrail.prompts.errors import PromptError

FILTERS = frozenset({"brief", "json", "fence", "length"})
LOOP_ATTRIBUTES = frozenset({"index", "index0", "first", "last", "length"})
FENCE_NAMES = frozenset({"open_fence", "close_fence"})

_TAGS = "{{ }}, {% for %} and {% if %}"
_ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.For,
    nodes.If,
    nodes.Name,
    nodes.Getattr,
    nodes.Filter,
)


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """Sandbox that looks up attributes as keys only: no method, class or private name can be reached."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return the value of a mapping's key, or one of the allowed loop attributes."""
        if isinstance(obj, LoopContext) and attribute in LOOP_ATTRIBUTES:
            return super().getattr(obj, attribute)
        if isinstance(obj, Mapping):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        if isinstance(obj, Undefined):
            return super().getattr(obj, attribute)
        raise SecurityError(f"{attribute!r} may not be read from a {type(obj).__name__}")


def as_json(value: Any) -> str:
    """Serialize to one line of JSON: quotes and line breaks in text cannot break the prompt's structure."""
    return json.dumps(value, ensure_ascii=False, default=str)  # str() of an undefined value raises, as it should


def brief(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the fields of an input that say nothing: null, false and empty ones."""
    return {key: value for key, value in fields.items() if value or (value == 0 and value is not False)}


def prompt_environment() -> PromptEnvironment:
    """Build a strict environment; ``fence`` is set per rendering (see render.py)."""
    environment = PromptEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True, cache_size=0
    )
    environment.filters.clear()
    environment.globals.clear()
    environment.tests.clear()
    environment.filters.update({"brief": brief, "json": as_json, "length": len, "fence": as_json})
    return environment


def check_template(file: str, text: str, inputs: tuple[str, ...]) -> frozenset[str]:
    """Refuse constructs that prompts may not use; return the inputs that the template uses.

    Raises:
        PromptError: a syntax error, another tag than ``for`` and ``if``, a filter that is not on the list, a
            call, a private name, or a name that is not declared.
    """
    try:
        tree = prompt_environment().parse(text)
    except TemplateSyntaxError as error:
        raise PromptError(file, f"line {error.lineno} of this part: {error.message}.") from None
    bound: set[str] = {"loop"}
    used: set[str] = set()
    for node in _walk(tree):
        _check_node(file, node)
        if isinstance(node, nodes.Name):
            (bound if node.ctx == "store" else used).add(node.name)
    overwritten = bound & set(inputs)
    if overwritten:
        raise PromptError(file, f"the loop variables {sorted(overwritten)} hide inputs of the same name.")
    unknown = used - bound - FENCE_NAMES - set(inputs)
    if unknown:
        raise PromptError(file, f"uses {sorted(unknown)}, which its front matter does not declare as inputs.")
    return frozenset(used & set(inputs))


def _walk(node: nodes.Node) -> list[nodes.Node]:
    return [node, *(deeper for child in node.iter_child_nodes() for deeper in _walk(child))]


def _check_node(file: str, node: nodes.Node) -> None:
    kind = type(node).__name__
    if not isinstance(node, _ALLOWED):
        raise PromptError(file, f"line {node.lineno}: {kind} is not allowed; only {_TAGS} are.")
    if isinstance(node, nodes.For) and (node.test is not None or node.recursive):
        raise PromptError(file, f"line {node.lineno}: a loop may have neither a condition nor recursion.")
    if isinstance(node, nodes.If) and not isinstance(node.test, (nodes.Name, nodes.Getattr)):
        raise PromptError(file, f"line {node.lineno}: a condition is one input, as in {{% if name %}}.")
    if isinstance(node, nodes.Filter) and (node.name not in FILTERS or node.args or node.kwargs):
        raise PromptError(file, f"line {node.lineno}: filter {node.name!r} is not one of {sorted(FILTERS)}.")
    name = node.attr if isinstance(node, nodes.Getattr) else node.name if isinstance(node, nodes.Name) else ""
    if name.startswith("_"):
        raise PromptError(file, f"line {node.lineno}: the private name {name!r} may not be used.")
