"""compile_findings: compile the findings of all examinations, or report none (MMAPG 3.4, equation 14)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.graph_traversal.relevance_features import Measure
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.component_views import locator, snippet
from backtrail.nodes.take_decision import Taken, settings_of, take
from backtrail.rules.mmapg.compile import compile_findings as by_rule
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import Candidate, Finding
from backtrail.state.mmapg.planning_graph import PlanningNode, Search, number_of
from backtrail.state.mmapg.retrieval_decisions import COMPILE, Compiled, CompileInputs, FindingView
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

FEW = 3
"""Most findings that are joined without being rewritten as one text (ours)."""


class CompileSlice(TypedDict):
    """The candidates and their findings."""

    node: PlanningNode
    question: str
    candidates: list[Candidate]
    findings: dict[str, Finding]
    settled: bool
    search: Search
    spent: dict[str, Charge]
    usage: dict[str, Charge]


class CompileWrites(TypedDict, total=False):
    """The retrieval as a node of the graph, with its sources as evidence."""

    planning_graph: list[PlanningNode]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]


class _Read(TypedDict):
    inputs: CompileInputs
    components: dict[str, Component]


def compile_findings(toolbox: Toolbox) -> AsyncNode[CompileSlice, CompileWrites]:
    """Node: the content of the retrieval. Without a valid one, or if they are plain, findings are joined."""

    async def compile_node(state: CompileSlice, runtime: Runtime[Settings]) -> CompileWrites:
        settings = settings_of(runtime)
        number = number_of(state["node"]["id"])
        related = [finding for finding in state.get("findings", {}).values() if finding["related"]]
        if not related:
            return {"planning_graph": [_node(state, Compiled(found=False))], "evidence": {}}
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        read = await asyncio.to_thread(_read, corpus, state, related, settings.mmapg.sources)
        taken = Taken[Compiled](None, {}, [])
        if not (_plain(state, related) and MMAPG.of(settings.variant).forced):
            taken = await take(
                toolbox, settings, COMPILE, read["inputs"],
                node="compile_findings", step=number, spent={**state["spent"], **state["usage"]},
            )  # fmt: skip
        compiled = taken.output or await asyncio.to_thread(by_rule, read["inputs"])
        evidence = await asyncio.to_thread(_evidence, corpus, state, read["components"], compiled.sources)
        return {
            "planning_graph": [_node(state, compiled)],
            "evidence": evidence if compiled.found else {},
            "usage": taken.usage,
            "failures": taken.failures + _disagreement(state["node"], compiled),
        }

    return compile_node


def _plain(state: CompileSlice, related: list[Finding]) -> bool:
    """Return whether there is a single finding, or a few that their examiner judged complete together."""
    return len(related) == 1 or (state.get("settled", False) and len(related) <= FEW)


def _node(state: CompileSlice, compiled: Compiled) -> PlanningNode:
    if not compiled.found:
        content = f"Nothing found: {compiled.content}" if compiled.content else _nothing(state)
        return {**state["node"], "search": state["search"], "content": content, "status": "nothing found"}
    node: PlanningNode = {
        **state["node"],
        "search": state["search"],
        "content": compiled.content,
        "sources": list(dict.fromkeys(compiled.sources)),
        "status": "found",
    }
    if compiled.conflicts:
        node["conflicts"] = compiled.conflicts
    if state.get("settled"):
        node["settled"] = True
    return node


def _nothing(state: CompileSlice) -> str:
    """Return why there is nothing: no candidates, none related, or none that could be examined."""
    candidates, examined = len(state["candidates"]), len(state.get("findings", {}))
    if not candidates and state["search"]["text_base"] == "links":
        return "Nothing found: the sources link to no document."
    if not candidates:
        return "Nothing found: no entry of the knowledge bases lies within reach."
    if not examined:
        return f"Nothing found: none of {candidates} candidates could be examined."
    return f"Nothing found: none of {examined} candidates bears on it."


def _disagreement(node: PlanningNode, compiled: Compiled) -> list[Failure]:
    if not compiled.conflicts:
        return []
    number = number_of(node["id"])
    return [
        {
            "id": f"conflict@{number}",
            "node": "compile_findings",
            "step": number,
            "error": "SourcesDisagree",
            "message": " ".join(compiled.conflicts)[:500],
        }
    ]


def _read(corpus: CorpusReader, state: CompileSlice, related: list[Finding], keep: int) -> _Read:
    components = corpus.components([finding["component"] for finding in related])
    titles = corpus.documents({component.document for component in components.values()})
    ranked = sorted(related, key=lambda finding: (-finding["fit"], finding["component"]))
    views = [
        FindingView(
            component=finding["component"],
            document=components[finding["component"]].document,
            title=titles[components[finding["component"]].document].title,
            modality=components[finding["component"]].modality,
            says=finding["says"],
            fit=finding["fit"],
        )
        for finding in ranked
        if finding["component"] in components
    ]
    inputs = CompileInputs(instruction=state["node"]["instruction"], findings=views, keep=keep)
    return {"inputs": inputs, "components": components}


def _evidence(
    corpus: CorpusReader, state: CompileSlice, components: dict[str, Component], sources: list[str]
) -> dict[str, Evidence]:
    """Return the sources by reference, with their coverage of the whole question, alone or along a path."""
    measure = Measure(corpus, state["question"])
    candidates = {candidate["component"]: candidate for candidate in state["candidates"]}
    found: dict[str, Evidence] = {}
    for key in sources:
        component, candidate = components[key], candidates[key]
        rows = measure.covering.best_rows(component)
        alone = measure.covering.alone(component)
        evidence: Evidence = {
            "component": key,
            "modality": component.modality,
            "document": component.document,
            "title": measure.covering.title(component),
            "snippet": snippet(component, min(rows) if rows else None),
            "locator": locator(component),
            "score": state["findings"][key]["fit"],
            "coverage": round(max(alone, candidate["path_coverage"]), 4),
            "hop": number_of(state["node"]["id"]),
            "query": state["node"]["id"],
        }
        if candidate["parent"]:
            evidence["parent"], evidence["parent_row"] = candidate["parent"], candidate["row"]
            evidence["linked"] = True
        found[key] = evidence
    return found
