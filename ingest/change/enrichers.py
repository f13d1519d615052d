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
    """Who describes pictures, sums up documents and reads words in pictures, if anyone."""
    from backtrail.tools.ocr.ray_actors import reading_on

    with ExitStack() as held:
        yield Enricher(
            describe=_remembering(held, engine, corpus, vlm),
            summarize=_remembering(held, engine, corpus, summarizer),
            ocr=held.enter_context(reading_on(engine, ocr.ocr)) if ocr.ocr else None,
            ocr_seconds=ocr.seconds,
            ocr_note=ocr.note,
        )


def _remembering(held: ExitStack, engine: str, corpus: str, model: str | None) -> Decider | None:
    """The model of that name; what it answered before is not asked again."""
    if model is None or model in ("none", OFFLINE):
        return None
    from backtrail.tools.deciders.ray_actors import deciding_on
    from backtrail.tools.deciders.recording.cache import CachingDecider
    from backtrail.tools.home import cache_folder
    from backtrail.tools.journal.shared import DECISIONS, shared_journal

    decider = held.enter_context(deciding_on(engine, model, corpus))
    return CachingDecider(decider, cache_folder() / "decisions", shared_journal(corpus, DECISIONS))
