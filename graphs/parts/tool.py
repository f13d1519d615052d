"""A method as a tool for agents: a question in, an answer with numbered citations out."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, Field

from backtrail.graphs.methods import find_method
from backtrail.graphs.parts.ask import Ended, ask
from backtrail.nodes.reading.citation_locations import place
from backtrail.state.answer import Answer, Citation
from backtrail.state.errors import BacktrailError
from backtrail.state.settings import Settings
from backtrail.tools.run_coroutine import run_coroutine
from backtrail.tools.toolbox import Toolbox


class Question(BaseModel):
    """Arguments of the tool."""

    question: str = Field(description="One whole question that can be understood without the conversation.")


def method_tool(
    method: str = "fif", settings: Settings | None = None, *, about: str = "", toolbox: Toolbox | None = None
) -> BaseTool:
    """Build a tool that answers questions with a method.

    Its content is the answer with its citations, or what was not found; its artifact is the result of the run
    (``answer``, ``ranking``, ``usage``, ``stop_reason``). Errors reach the agent as one sentence.

    Args:
        method: name of the method.
        settings: corpus, models and all other settings of the run.
        about: contents of the corpus, so that an agent knows when to ask.

    Raises:
        SettingsError: there is no such method.
    """
    find_method(method)
    whole, tools = settings or Settings(), toolbox or Toolbox()

    async def answered(question: str, config: RunnableConfig) -> tuple[str, Ended]:
        try:
            ended = await ask(method, tools, whole, question, config)
        except BacktrailError as error:
            raise ToolException(str(error)) from error
        return format_answer(ended["answer"]), ended

    def answered_at_once(question: str) -> tuple[str, Ended]:
        return run_coroutine(answered(question, {}))

    return StructuredTool.from_function(
        func=answered_at_once,
        coroutine=answered,
        name=f"ask_{whole.corpus}".replace("-", "_"),
        description=f"Answers a question from a collection of documents, tables and pictures, with citations. {about}",
        args_schema=Question,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def format_answer(answer: Answer) -> str:
    """Format the answer for an agent. Quotes are material from documents."""
    if answer["abstained"]:
        return f"Not found: {answer['text']}"
    lines = [f"[{number}] {_line(citation)}" for number, citation in enumerate(answer["citations"], 1)]
    sources = "\n".join(["", "Sources:", *lines]) if lines else "\nNo source: this is a model's own knowledge."
    return f"{answer['text']}\n{sources}"


def _line(citation: Citation) -> str:
    where = " › ".join(part for part in (citation["title"], citation["section"]) if part)
    return f"{where} ({place(citation['modality'], citation['locator'])}): “{citation['quote']}”"
