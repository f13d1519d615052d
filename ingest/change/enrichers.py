"""Open OCR and models that enrich documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from backtrail.ingest.choose_ocr import OcrChoice
from backtrail.ingest.enrich import Enricher
from backtrail.state.settings import OFFLINE
from backtrail.tools.deciders.protocol import Decider


@contextmanager
def enriching_on(
    engine: str, corpus: str, ocr: OcrChoice, *, vlm: str | None = None, summarizer: str | None = None
) -> Iterator[Enricher]:
    """Open the models that describe pictures and summarise documents, and OCR, if any."""
    from backtrail.tools.ocr.ray_actors import reading_on

    with ExitStack() as stack:
        yield Enricher(
            describe=_cached_model(stack, engine, corpus, vlm),
            summarize=_cached_model(stack, engine, corpus, summarizer),
            ocr=stack.enter_context(reading_on(engine, ocr.ocr)) if ocr.ocr else None,
            ocr_seconds=ocr.seconds,
            ocr_note=ocr.note,
        )


def _cached_model(stack: ExitStack, engine: str, corpus: str, model: str | None) -> Decider | None:
    """Open a model with a cache of its replies; None without one."""
    if model is None or model in ("none", OFFLINE):
        return None
    from backtrail.tools.deciders.ray_actors import deciding_on
    from backtrail.tools.deciders.recording.cache import CachingDecider
    from backtrail.tools.home import cache_folder
    from backtrail.tools.journal.shared import DECISIONS, shared_journal

    decider = stack.enter_context(deciding_on(engine, model, corpus))
    return CachingDecider(decider, cache_folder() / "decisions", shared_journal(corpus, DECISIONS))
