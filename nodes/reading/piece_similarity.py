"""Similarity of each row and sentence of the evidence to the question, for the offline reader.

Colloquial questions share few words with what answers them; the stored vectors of rows and sentences tell.
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
    """The texts with ``nearness`` where rules will read them; what a model reads stays as it is. Reads the corpus
    (blocking).

    Args:
        rows: by component, where only some rows are shown, their numbers in the table.
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
    """By component, the similarity of its rows or sentences; none of the web, or of triplets."""
    stored = [text.id for text in texts if not is_web(text.id)]
    asked = corpus.embed([question])[0]
    pieces = corpus.subcomponents(stored)
    layer = [piece.id for key in stored for piece in pieces.get(key, [])]
    held = list(corpus.components(stored))
    near = dict(zip(layer, corpus.vectors(layer, "subcomponent") @ asked, strict=True)) if layer else {}
    whole = dict(zip(held, corpus.vectors(held, "component") @ asked, strict=True)) if held else {}
    found: dict[str, list[float]] = {}
    for text in texts:
        if text.id not in whole:
            continue
        shown = rows.get(text.id, range(len(text.rows))) if text.rows else range(max(1, len(text.sentences)))
        by_index = {piece.index: float(near[piece.id]) for piece in pieces.get(text.id, [])}
        # A text of one sentence has no pieces of its own; a row without text is near to nothing.
        other = 0.0 if text.rows else float(whole[text.id])
        found[text.id] = [round(by_index.get(index, other), 4) for index in shown]
    return found
