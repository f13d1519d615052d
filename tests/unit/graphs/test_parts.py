"""Methods as parts of LangChain applications: the retriever, the tool, and the examples of both."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fixtures.agents import calls
from langchain_core.messages import ToolMessage

from backtrail.examples.as_agent_tool import agent
from backtrail.examples.as_retriever import chain
from backtrail.examples.as_sub_agent import deep_agent
from backtrail.graphs.parts.retriever import MethodRetriever
from backtrail.graphs.parts.tool import method_tool
from backtrail.state.settings import Settings
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

QUESTION = "Which spacecraft flew past Triton?"
SETTINGS = Settings(corpus="tiny", planner="scripted", reader="scripted", k=3)


def reading(inputs: Any) -> dict[str, Any]:
    cited = [{"component": inputs.evidence[0].id, "sentence": 0}]
    return {"short": "Voyager 2", "text": "It was Voyager 2.", "citations": cited, "supported": True, "confidence": 0.9}


@pytest.fixture
def toolbox(space_corpus: StoredCorpus) -> Toolbox:
    decider = ScriptedDecider({"answer": reading})
    return Toolbox(open_corpus=lambda name: space_corpus, open_decider=lambda model, settings: decider)


async def test_a_retriever_returns_the_ranking_with_what_is_cited(toolbox: Toolbox) -> None:
    found = MethodRetriever(method="bm25", settings=SETTINGS, toolbox=toolbox)
    documents = await found.ainvoke(QUESTION)
    assert 0 < len(documents) <= 3
    first, *others = documents
    assert (first.metadata["answer"], first.metadata["abstained"]) == ("Voyager 2", False)
    (citation,) = first.metadata["citations"]
    assert (citation["component"], citation["locator"]["sentence"]) == (first.id, 0)
    assert citation["quote"] in first.page_content
    assert all(not document.metadata["citations"] for document in others)
    scores = [document.metadata["score"] for document in documents]
    assert scores == sorted(scores, reverse=True)


def test_the_example_of_a_retriever(toolbox: Toolbox) -> None:
    said = chain(MethodRetriever(method="bm25", settings=SETTINGS, toolbox=toolbox)).invoke(QUESTION)
    assert ": " in said
    assert said != "Nothing was cited."


async def test_a_tool_tells_the_answer_with_numbered_sources(toolbox: Toolbox) -> None:
    tool = method_tool("bm25", SETTINGS, toolbox=toolbox)
    call = {"type": "tool_call", "id": "1", "name": tool.name, "args": {"question": QUESTION}}
    for said in (await tool.ainvoke(call), await asyncio.to_thread(tool.invoke, call)):
        assert isinstance(said, ToolMessage)
        assert str(said.content).startswith("It was Voyager 2.\n\nSources:\n[1] ")
        assert said.artifact["answer"]["short"] == "Voyager 2"
        assert said.artifact["ranking"]


async def test_what_goes_wrong_is_told_to_the_agent() -> None:
    tool = method_tool("bm25", Settings(corpus="nowhere"))
    said = await tool.ainvoke({"type": "tool_call", "id": "1", "name": tool.name, "args": {"question": QUESTION}})
    assert said.status == "error"
    assert "nowhere" in said.content


async def test_the_example_of_an_agent(toolbox: Toolbox, tmp_path: Path) -> None:
    tool = method_tool("bm25", SETTINGS, toolbox=toolbox)
    model = calls((tool.name, {"question": QUESTION}))
    said = await agent(model, tool).ainvoke({"messages": [("user", QUESTION)]})
    assert [message.type for message in said["messages"]] == ["human", "ai", "tool", "ai"]
    assert "Voyager 2" in str(said["messages"][2].content)


async def test_the_example_of_a_sub_agent(toolbox: Toolbox) -> None:
    pytest.importorskip("deepagents", reason="deepagents is not installed (pip install --group dev)")
    task = {"description": QUESTION, "subagent_type": "documents"}
    agent = deep_agent(calls(("task", task)), method_tool("bm25", SETTINGS, toolbox=toolbox))
    said = await agent.ainvoke({"messages": [("user", QUESTION)]})
    assert [message.type for message in said["messages"]] == ["human", "ai", "tool", "ai"]
    assert "It was Voyager 2.\n\nSources:\n[1] " in str(said["messages"][2].content)
