"""Found documents as the graders of self-reflective RAG read them."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.nodes.reading.contents import component_text
from backtrail.state.evidence import Evidence
from backtrail.state.self_rag.decisions import Retrieved
from backtrail.tools.web.contents import ContentsReader


def documents_read(contents: ContentsReader, ids: Sequence[str], evidence: dict[str, Evidence]) -> list[Retrieved]:
    """By id, in the order given; what can no longer be read is left out. Reads contents (blocking)."""
    held = contents.components(ids)
    return [
        Retrieved(
            id=id_, modality=held[id_].modality, title=evidence[id_]["title"] if id_ in evidence else "",
            text=component_text(held[id_]),
        )
        for id_ in ids
        if id_ in held
    ]  # fmt: skip
