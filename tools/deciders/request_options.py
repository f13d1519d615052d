"""Options of a request for a model's client: format, length, sampling, effort.

OpenAI's options are understood by most clients of LangChain, some of which translate them; where one does not, its row
in ``providers`` or a form here says how it takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableBinding

from backtrail.tools.deciders.capabilities import Effort, Rung
from backtrail.tools.deciders.providers import PROVIDERS, Provider
from backtrail.tools.deciders.requests.reply_schema import ReplyForm
from backtrail.tools.deciders.requests.structured_output import call_options

Worded = Callable[[BaseChatModel, Rung, ReplyForm], dict[str, Any]]


def openai_form(model: BaseChatModel, rung: Rung, form: ReplyForm) -> dict[str, Any]:
    """The form in OpenAI's words."""
    return call_options(rung, form)


def translated_form(model: BaseChatModel, rung: Rung, form: ReplyForm) -> dict[str, Any]:
    """As above, with tools in the words of the model's own client."""
    if rung != "tool":
        return call_options(rung, form)
    options = call_options(rung, form)
    bound = model.bind_tools(options["tools"], tool_choice=form.name)
    return dict(bound.kwargs) if isinstance(bound, RunnableBinding) else options


def gemini_form(model: BaseChatModel, rung: Rung, form: ReplyForm) -> dict[str, Any]:
    """The form for Gemini, whose client knows no ``response_format``."""
    if rung == "schema":
        return {"response_mime_type": "application/json", "response_json_schema": dict(form.schema)}
    if rung == "json":
        return {"response_mime_type": "application/json"}
    return translated_form(model, rung, replace(form, schema=_words_alone(form.schema)))


def _words_alone(schema: Any) -> Any:
    """A schema whose enumerations are of texts: Gemini's tools know no others."""
    if isinstance(schema, list):
        return [_words_alone(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    numbers = schema.get("type") in ("integer", "number")
    return {key: _words_alone(held) for key, held in schema.items() if not (numbers and key == "enum")}


def ollama_form(model: BaseChatModel, rung: Rung, form: ReplyForm) -> dict[str, Any]:
    """The form for Ollama, which holds a reply to a grammar."""
    if rung == "schema":
        return {"format": dict(form.schema)}
    return {"format": "json"} if rung == "json" else {}


_FORMS: dict[str, Worded] = {"google_genai": gemini_form, "ollama": ollama_form}


@dataclass(frozen=True)
class Wire:
    """How one model's client takes its options.

    Args:
        form: words the form of the reply.
        room, seed, effort: names of the call options; empty where there is none.
        nested: the option that holds temperature, room and seed, where one does.
    """

    form: Worded = openai_form
    room: str = "max_tokens"
    seed: str = ""
    effort: str = ""
    nested: str = ""

    def options(
        self, *, temperature: float | None, room: int | None, seed: int | None, effort: Effort | None
    ) -> dict[str, Any]:
        """Call options beside the form; None leaves one out."""
        wanted: dict[str, Any] = {"temperature": temperature, self.room: room, self.seed: seed}
        held = {name: value for name, value in wanted.items() if name and value is not None}
        options: dict[str, Any] = {self.nested: held} if self.nested and held else {} if self.nested else held
        if self.effort and effort is not None:
            options[self.effort] = effort
        return options


OPENAI_WIRE = Wire(seed="seed", effort="reasoning_effort")
PLAIN_WIRE = Wire()
"""Of clients that understand OpenAI's options or ignore them."""


def wire_of(provider: str) -> Wire:
    """How a provider's client takes its options."""
    row: Provider = PROVIDERS[provider]
    return Wire(
        _FORMS.get(provider, translated_form), room=row.room, seed=row.seed, effort=row.effort, nested=row.nested
    )
