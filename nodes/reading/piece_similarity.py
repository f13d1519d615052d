"""Similarity of each row and sentence of the evidence to the question, for the offline reader.

Colloquial questions share few words with their answers, so the stored vectors of rows and sentences are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.decision import Role
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.shelf import is_web


def with_piece_similarity(
    toolbox: Toolbox,
    settings: Settings,
    role: Role,
    question: str,
    texts: Sequence[EvidenceText],
    rows: Mapping[str, Sequence[int]] | None = None,
) -> list[EvidenceText]:
    """Set ``nearness`` of texts that rules will read. Reads the corpus (blocking).

    Args:
        rows: by component, the original numbers of the shown rows, if only some are shown.
    """
    stored = [text.id for text in texts if not is_web(text.id)]
    by_rules = isinstance(toolbox.decider(role, settings), OfflineDecider)
    if not by_rules or not stored or not question.strip():
        return list(texts)
    values = _measured(toolbox.corpus(settings), question, texts, rows or {})
    return [text.model_copy(update={"nearness": values[text.id]}) if text.id in values else text for text in texts]


def _measured(
    corpus: CorpusReader, question: str, texts: Sequence[EvidenceText], rows: Mapping[str, Sequence[int]]
) -> dict[str, list[float]]:
    """Return the similarity of rows or sentences, by component; none for web pages and triplets."""
    stored = [text.id for text in texts if not is_web(text.id)]
    query = corpus.embed([question])[0]
    pieces = corpus.subcomponents(stored)
    layer = [piece.id for key in stored for piece in pieces.get(key, [])]
    present = list(corpus.components(stored))
    near = dict(zip(layer, corpus.vectors(layer, "subcomponent") @ query, strict=True)) if layer else {}
    whole = dict(zip(present, corpus.vectors(present, "component") @ query, strict=True)) if present else {}
    found: dict[str, list[float]] = {}
    for text in texts:
        if text.id not in whole:
            continue
        shown = rows.get(text.id, range(len(text.rows))) if text.rows else range(max(1, len(text.sentences)))
        by_index = {piece.index: float(near[piece.id]) for piece in pieces.get(text.id, [])}
        # A text of one sentence has no pieces; a row without text is similar to nothing.
        other = 0.0 if text.rows else float(whole[text.id])
        found[text.id] = [round(by_index.get(index, other), 4) for index in shown]
    return found
