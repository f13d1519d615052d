"""Decisions of ingestion, taken if a model is configured: describe a picture, summarise a document."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Part


class DescribePictureInputs(Part):
    """The texts around a picture, which is attached."""

    document: str
    title: str = ""
    caption: str = ""
    alt: str = ""
    nearby: str = ""


class Description(Part):
    """What a picture shows, with the text in it, and its visual objects (layer 2 of the component graph)."""

    description: str = Field(min_length=1, max_length=1200)
    objects: list[str] = Field(default_factory=list[str], max_length=12)


DESCRIBE_PICTURE = Decision("describe_picture", DescribePictureInputs, Description, "vlm", reasoned=False)


class SummarizeDocumentInputs(Part):
    """Title, sections and beginning of a document."""

    title: str
    sections: list[str]
    text: str


class DocumentSummary(Part):
    """What the document is about, for routing (layer 0 of the component graph)."""

    summary: str = Field(min_length=1, max_length=400)


SUMMARIZE_DOCUMENT = Decision("summarize_document", SummarizeDocumentInputs, DocumentSummary, "reader", reasoned=False)
