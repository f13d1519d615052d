"""Compile findings by rule: the best ones quoted with their titles, all of them as sources."""

from __future__ import annotations

from backtrail.rules.mmapg.conflicts import conflicts
from backtrail.state.mmapg.planning_graph import CONTENT_CHARACTERS
from backtrail.state.mmapg.retrieval_decisions import Compiled, CompileInputs


def compile_findings(inputs: CompileInputs) -> Compiled:
    """Return as many findings as fit the content, best first."""
    kept = inputs.findings[: inputs.keep]
    if not kept:
        return Compiled(found=False)
    lines: list[str] = []
    for finding in kept:
        line = f"{finding.title}: {finding.says}"
        if sum(map(len, lines)) + len(lines) + len(line) <= CONTENT_CHARACTERS:
            lines.append(line)
    content = "\n".join(lines) or f"{kept[0].title}: {kept[0].says}"[: CONTENT_CHARACTERS - 1] + "…"
    texts = [(finding.document, finding.title, finding.says) for finding in kept if finding.modality == "text"]
    return Compiled(
        found=True,
        content=content,
        sources=[finding.component for finding in kept],
        conflicts=conflicts(texts),
    )
