"""Enrich parsed documents: words, descriptions and objects of pictures, summaries of documents.

Optional. OCR reads words, models add the rest. Replies are cached by content, so that a second ingest, or one after a
crash, repeats no request. After a failure the picture or document stays as parsed, and the report says so.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backtrail.ingest.images import check_picture
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.picture_words import PictureReader, PictureWords, with_words
from backtrail.ingest.summaries import summarize
from backtrail.state.component import Component, Picture
from backtrail.state.ingest_decisions import (
    DESCRIBE_PICTURE,
    SUMMARIZE_DOCUMENT,
    DescribePictureInputs,
    SummarizeDocumentInputs,
)
from backtrail.state.usage import Charge, add_charges, charge
from backtrail.tools.corpus.writing.progress import Progress, Silent
from backtrail.tools.deciders.protocol import Decider, DecisionFailed, PictureAttachment, at_once
from backtrail.tools.errors import ModelRefused
from backtrail.tools.ocr.protocol import Ocr
from backtrail.tools.run_coroutine import run_coroutine

SUMMARIZED_CHARACTERS = 6_000


class Enricher:
    """Enriches documents by models and OCR. Without any it changes nothing.

    Args:
        describe: model that describes pictures.
        summarize: model that summarises documents.
        ocr: OCR for words in pictures.
        ocr_seconds: time limit of OCR; further pictures are left for a later ingest. None reads all.
        ocr_note: note on missing OCR, for the report of an ingest with pictures.
    """

    def __init__(
        self,
        describe: Decider | None = None,
        summarize: Decider | None = None,
        *,
        ocr: Ocr | None = None,
        ocr_seconds: float | None = None,
        ocr_note: str = "",
    ) -> None:
        self._describe = describe
        self._summarize = summarize
        self._reader = PictureReader(ocr, ocr_seconds) if ocr is not None else None
        self.ocr_note = ocr_note
        self.spent: Charge = charge()

    @property
    def ocr(self) -> str:
        """Name of the OCR, which the corpus records; empty without one."""
        return self._reader.ocr.name if self._reader else ""

    def ocr_counts(self) -> dict[str, Any]:
        """Return the counts of OCR; see ``IngestReport``."""
        return self._reader.counts() if self._reader else {}

    @property
    def pictures(self) -> PictureReader | None:
        """Reader of words in pictures; None without OCR."""
        return self._reader

    @property
    def name(self) -> str:
        """Names of the models and OCR."""
        return self.takers(with_pictures=True)

    def made_by(self, parsed: ParsedDocument) -> str:
        """Return the models and OCR used for a document; a change stores it again. OCR needs a picture.

        The name is marked if OCR had no time for some pictures.
        """
        name = self.takers(with_pictures=bool(parsed.blobs))
        return f"{name}+left" if self._reader and self._reader.left_any(parsed.blobs) else name

    def enrich(self, documents: Sequence[ParsedDocument], progress: Progress | None = None) -> list[ParsedDocument]:
        """Return the enriched documents in order.

        Raises:
            ModelUnavailable, ModelRejected: a model cannot be used at all. Earlier replies are cached.
        """
        return run_coroutine(self._all(documents, progress or Silent())) if self.name else list(documents)

    def takers(self, *, with_pictures: bool) -> str:
        """Return the models and OCR used for a document with or without pictures."""
        takers = {
            "describe": self._describe.name if self._describe else "",
            "summarize": self._summarize.name if self._summarize else "",
            "ocr": self._reader.ocr.fingerprint if self._reader and with_pictures else "",
        }
        return "+".join(f"{verb}:{name}" for verb, name in takers.items() if name)

    async def _all(self, documents: Sequence[ParsedDocument], progress: Progress) -> list[ParsedDocument]:
        words = await self._reader.read(documents, progress) if self._reader else {}
        takers = [taker for taker in (self._describe, self._summarize) if taker]
        room = asyncio.Semaphore(max(map(at_once, takers), default=1))
        return list(await asyncio.gather(*(self._one(document, words, room) for document in documents)))

    async def _one(
        self, parsed: ParsedDocument, words: Mapping[str, PictureWords], room: asyncio.Semaphore
    ) -> ParsedDocument:
        skipped: list[SkippedPart] = []
        described = [
            await self._described(component, parsed, room, skipped) if component.image else component
            for component in parsed.components
        ]
        components = [with_words(component, words, skipped) for component in described]
        summary = _summary_with(components, parsed)
        if self._summarize is not None:
            async with room:
                summary = await self._summary(parsed, skipped) or summary
        document = parsed.document.model_copy(update={"summary": summary})
        return dataclasses.replace(
            parsed, document=document, components=components, skipped=[*parsed.skipped, *skipped]
        )

    async def _described(
        self, component: Component, parsed: ParsedDocument, room: asyncio.Semaphore, skipped: list[SkippedPart]
    ) -> Component:
        picture = component.image
        if self._describe is None or picture is None or picture.blob not in parsed.blobs:
            return component
        inputs = DescribePictureInputs(
            document=parsed.document.title,
            title=picture.title,
            caption=picture.caption,
            alt=picture.alt,
            nearby=picture.nearby,
        )
        async with room:
            shown = await asyncio.to_thread(_attachment, parsed.blobs[picture.blob], component.id)
            try:
                decided = await self._describe.decide(DESCRIBE_PICTURE, inputs, [shown])
            except (DecisionFailed, ModelRefused) as error:
                self._book(error.charge or charge())
                skipped.append(SkippedPart(component.id, f"the picture was not described: {error}"))
                return component
        self._book(decided.charge)
        recognized = " ".join(filter(None, (decided.output.description, picture.recognized)))
        added = {"recognized": recognized, "objects": tuple(decided.output.objects)}
        return component.model_copy(update={"image": Picture(**{**picture.model_dump(), **added})})

    async def _summary(self, parsed: ParsedDocument, skipped: list[SkippedPart]) -> str:
        assert self._summarize is not None  # checked by the caller
        sections = list(dict.fromkeys(component.section for component in parsed.components if component.section))
        text = "\n".join(component.text for component in parsed.components if component.text)
        inputs = SummarizeDocumentInputs(
            title=parsed.document.title, sections=sections[:40], text=text[:SUMMARIZED_CHARACTERS]
        )
        try:
            decided = await self._summarize.decide(SUMMARIZE_DOCUMENT, inputs)
        except (DecisionFailed, ModelRefused) as error:
            self._book(error.charge or charge())
            skipped.append(SkippedPart(parsed.document.id, f"the document was not summarised: {error}"))
            return ""
        self._book(decided.charge)
        return decided.output.summary

    def _book(self, one: Charge) -> None:
        self.spent = add_charges([self.spent, one])


def _summary_with(components: Sequence[Component], parsed: ParsedDocument) -> str:
    """Return the summary, renewed with the enriched components unless it is the document's own."""
    given = parsed.document.summary
    if components == parsed.components or given != summarize(parsed.document, parsed.components):
        return given
    return summarize(parsed.document, components)


def _attachment(blob: Path | bytes, label: str) -> PictureAttachment:
    facts = check_picture(blob)
    content = blob if isinstance(blob, bytes) else blob.read_bytes()
    return PictureAttachment(content=content, mime=facts.mime, label=f"Picture of {label}")
