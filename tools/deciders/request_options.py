"""Call options of a model's client: format, length, sampling, effort.

Most LangChain clients accept OpenAI's options; for the others, a row in ``providers`` or a function here gives theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableBinding

from backtrail.tools.deciders.capabilities import Effort, ReplyFormat
from backtrail.tools.deciders.providers import PROVIDERS, Provider
from backtrail.tools.deciders.requests.reply_schema import ReplyForm
from backtrail.tools.deciders.requests.structured_output import call_options

Worded = Callable[[BaseChatModel, ReplyFormat, ReplyForm], dict[str, Any]]


def openai_form(model: BaseChatModel, rung: ReplyFormat, form: ReplyForm) -> dict[str, Any]:
    """Return the response format as OpenAI's call options."""
    return call_options(rung, form)


def translated_form(model: BaseChatModel, rung: ReplyFormat, form: ReplyForm) -> dict[str, Any]:
    """Return the response format as OpenAI's call options, with tools converted by the model's client."""
    if rung != "tool":
        return call_options(rung, form)
    options = call_options(rung, form)
    bound = model.bind_tools(options["tools"], tool_choice=form.name)
    return dict(bound.kwargs) if isinstance(bound, RunnableBinding) else options


def gemini_form(model: BaseChatModel, rung: ReplyFormat, form: ReplyForm) -> dict[str, Any]:
    """Return the response format for Gemini, whose client has no ``response_format``."""
    if rung == "schema":
        return {"response_mime_type": "application/json", "response_json_schema": dict(form.schema)}
    if rung == "json":
        return {"response_mime_type": "application/json"}
    return translated_form(model, rung, replace(form, schema=_only_text_enums(form.schema)))


def _only_text_enums(schema: Any) -> Any:
    """Drop enumerations of numbers, which Gemini's tools do not support."""
    if isinstance(schema, list):
        return [_only_text_enums(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    numbers = schema.get("type") in ("integer", "number")
    return {key: _only_text_enums(value) for key, value in schema.items() if not (numbers and key == "enum")}


def ollama_form(model: BaseChatModel, rung: ReplyFormat, form: ReplyForm) -> dict[str, Any]:
    """Return the response format for Ollama, which constrains replies by a grammar."""
    if rung == "schema":
        return {"format": dict(form.schema)}
    return {"format": "json"} if rung == "json" else {}


_FORMS: dict[str, Worded] = {"google_genai": gemini_form, "ollama": ollama_form}


@dataclass(frozen=True)
class Wire:
    """Call options of a model's client.

    Args:
        form: makes the options of the response format.
        room, seed, effort: names of the call options; empty if there is none.
        nested: the option that contains temperature, room and seed, if they are nested.
    """

    form: Worded = openai_form
    room: str = "max_tokens"
    seed: str = ""
    effort: str = ""
    nested: str = ""

    def options(
        self, *, temperature: float | None, room: int | None, seed: int | None, effort: Effort | None
    ) -> dict[str, Any]:
        """Return the call options other than the response format; None omits an option."""
        wanted: dict[str, Any] = {"temperature": temperature, self.room: room, self.seed: seed}
        given = {name: value for name, value in wanted.items() if name and value is not None}
        options: dict[str, Any] = {self.nested: given} if self.nested and given else {} if self.nested else given
        if self.effort and effort is not None:
            options[self.effort] = effort
        return options


OPENAI_WIRE = Wire(seed="seed", effort="reasoning_effort")
PLAIN_WIRE = Wire()
"""For clients that support or ignore OpenAI's options."""


def wire_of(provider: str) -> Wire:
    """Return the call options of a provider's client."""
    row: Provider = PROVIDERS[provider]
    return Wire(
        _FORMS.get(provider, translated_form), room=row.room, seed=row.seed, effort=row.effort, nested=row.nested
    )
