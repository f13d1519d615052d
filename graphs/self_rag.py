"""Self-reflective RAG: search, grade documents, draft, check, and rewrite the query if that fails.

A baseline of the CogPlanner paper (section 6.1.1), after Asai et al., Self-RAG (2023), as a loop of prompts without
special tokens: an unsupported draft is written again, one that does not answer the question leads to another query, and
so does a search without a relevant document.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.check_picture import check_picture
from backtrail.nodes.contextualize import contextualize
from backtrail.nodes.search_text import search_text
from backtrail.nodes.self_rag.check_answer import check_answer
from backtrail.nodes.self_rag.draft_answer import draft_answer
from backtrail.nodes.self_rag.give_answer import give_answer
from backtrail.nodes.self_rag.grade_documents import grade_documents
from backtrail.nodes.self_rag.rewrite_query import rewrite_query
from backtrail.state.conversation import MethodInput
from backtrail.state.memory import empty_memory
from backtrail.state.search import search_task
from backtrail.state.self_rag.memory import SelfRagAnswered, SelfRagState
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def search(state: SelfRagState) -> list[Send]:
    """Send the question first, then each rewritten query."""
    question = state.get("question", "")
    number = len(state.get("attempts", [])) + 1
    task = search_task("text", state.get("query") or question, question, state.get("image"), number=number)
    return [Send("search_text", task)]


def relevance(state: SelfRagState) -> Literal["draft_answer", "rewrite_query"]:
    """Route to a draft if there are relevant documents, else to a new query."""
    return "draft_answer" if state.get("ranking") else "rewrite_query"


def quality(state: SelfRagState) -> Literal["give_answer", "draft_answer", "rewrite_query"]:
    """Give a good draft; write an unsupported one again, but once; else rewrite the query."""
    if state.get("stop_reason"):
        return "give_answer"
    attempt = state.get("attempts", [])[-1]
    return "draft_answer" if not attempt["grounded"] and attempt["drafts"] < 2 else "rewrite_query"


def asked_anew(state: SelfRagState) -> list[Send] | Literal["give_answer"]:
    """Send the new query, or give the best draft."""
    return "give_answer" if state.get("stop_reason") else search(state)


def build(toolbox: Toolbox) -> QuestionGraph[SelfRagState, Settings, MethodInput, SelfRagAnswered]:
    """Build the graph, not yet compiled."""
    builder = QuestionGraph(
        SelfRagState, context_schema=Settings, input_schema=MethodInput, output_schema=SelfRagAnswered
    )
    builder.begin_with(contextualize(toolbox, empty_memory(SelfRagState)), then="check_picture")
    builder.add_node("check_picture", check_picture(toolbox))
    builder.add_node("search_text", search_text(toolbox))
    builder.add_node("grade_documents", grade_documents(toolbox))
    builder.add_node("draft_answer", draft_answer(toolbox))
    builder.add_node("check_answer", check_answer(toolbox))
    builder.add_node("rewrite_query", rewrite_query(toolbox))
    builder.add_node("give_answer", give_answer(toolbox))

    builder.add_conditional_edges("check_picture", search, ["search_text"])
    builder.add_edge("search_text", "grade_documents")
    builder.add_conditional_edges("grade_documents", relevance)
    builder.add_edge("draft_answer", "check_answer")
    builder.add_conditional_edges("check_answer", quality)
    builder.add_conditional_edges("rewrite_query", asked_anew, ["search_text", "give_answer"])
    builder.add_edge("give_answer", END)
    return builder


graph: CompiledStateGraph[SelfRagState, Settings, MethodInput, SelfRagAnswered] = build(Toolbox()).compile(
    name="self_rag"
)
