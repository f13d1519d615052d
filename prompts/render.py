"""Render the prompt of a decision with its inputs: all of them, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from jinja2 import Template, TemplateError
from pydantic import BaseModel

from backtrail.prompts.errors import PromptError
from backtrail.prompts.fence import Fence, fence_for
from backtrail.prompts.own_prompts import folder_of
from backtrail.prompts.prompt_file import PromptFile, read_prompt_file
from backtrail.prompts.sandbox import check_template, prompt_environment
from backtrail.state.decision import IN_PROMPT


@dataclass(frozen=True)
class Rendered:
    """The two messages of a prompt; ``hash`` is the sha256 of the file they were rendered from."""

    system: str
    user: str
    hash: str


@dataclass(frozen=True)
class Prompt:
    """A loaded prompt: its file, checked and ready to render."""

    file: PromptFile

    def render(self, inputs: BaseModel) -> Rendered:
        """Fill in the inputs. The system part ends with the rule about fenced text.

        Raises:
            PromptError: the declared inputs are not the fields of the inputs' model, or a template
                reads a field that does not exist.
        """
        _check_fit(self.file, inputs)
        values = inputs.model_dump(mode="json", context={IN_PROMPT: True})
        fence = fence_for(values)
        try:
            system = _template(self.file.system, fence).render(values)
            user = _template(self.file.user, fence).render(values)
        except TemplateError as error:
            raise PromptError(self.file.file, f"{error}.") from error
        return Rendered(f"{system}\n\n{fence.rule}", user, self.file.hash)


@cache
def load_prompt(name: str) -> Prompt:
    """Load the prompt of a decision, your own if there is one. Cached; reads the disk on first use.

    Raises:
        PromptError: no such file, or it uses forbidden constructs.
    """
    return checked(read_prompt_file(name, folder_of(name)))


def checked(file: PromptFile) -> Prompt:
    """Check that templates use all declared inputs and only allowed constructs.

    Raises:
        PromptError: they do not.
    """
    used = check_template(file.file, file.system, file.inputs) | check_template(file.file, file.user, file.inputs)
    unused = set(file.inputs) - used
    if unused:
        raise PromptError(file.file, f"declares the inputs {sorted(unused)} but never uses them.")
    return Prompt(file)


def render(name: str, inputs: BaseModel) -> Rendered:
    """Render ``prompts/<name>.md``. Reads the disk on first use: call it in a thread from async code.

    Raises:
        PromptError: the file is missing or malformed, or its inputs are not those of the model.
    """
    return load_prompt(name).render(inputs)


def _check_fit(file: PromptFile, inputs: BaseModel) -> None:
    fields, declared = set(type(inputs).model_fields), set(file.inputs)
    if missing := sorted(declared - fields):
        raise PromptError(file.file, f"declares inputs that {type(inputs).__name__} does not have: {missing}.")
    if unexpected := sorted(fields - declared):
        raise PromptError(file.file, f"does not declare these inputs of {type(inputs).__name__}: {unexpected}.")


def _template(text: str, fence: Fence) -> Template:
    # Compiled per rendering: the fence belongs to it, and a shared environment is not safe in threads.
    environment = prompt_environment()
    environment.filters["fence"] = lambda value: fence.around(str(value))
    environment.globals.update({"open_fence": fence.open, "close_fence": fence.close})
    return environment.from_string(text)
