"""Write queries by rule: the part itself, then its names; each is searched with its own radius."""

from __future__ import annotations

from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_in
from backtrail.rules.mmapg.split import picture_names, split
from backtrail.state.mmapg.retrieval_decisions import (
    ImageQueries,
    ImageQueriesInputs,
    Prepared,
    SplitInputs,
    TextQueries,
    TextQueriesInputs,
)

QUERY_CHARACTERS = 300
MOST_QUERIES = 3
"""Each query takes its share of the candidates."""


def text_queries(inputs: TextQueriesInputs) -> TextQueries:
    """Return the whole part first: names alone only find what is near to one constraint."""
    names = [name for name, _ in names_in(inputs.text_part) if len(content_terms(name)) > 1]
    queries = [" ".join(inputs.text_part.split()), *names]
    return TextQueries(queries=[query[:QUERY_CHARACTERS] for query in dict.fromkeys(queries)][:MOST_QUERIES])


def image_queries(inputs: ImageQueriesInputs) -> ImageQueries:
    """Return the picture's names, or the words that describe it; the part is the examiner's question."""
    part = " ".join(inputs.image_part.split())
    named = picture_names(part) if inputs.image_kind == "targeted" else []
    queries = [name[:QUERY_CHARACTERS] for name in named] or [part[:QUERY_CHARACTERS]]
    return ImageQueries(queries=queries[:MOST_QUERIES], question=part[:400] or "?")


def prepare(inputs: SplitInputs) -> Prepared:
    """Return the split, and the queries of both parts."""
    parts = split(inputs)
    texts = text_queries(TextQueriesInputs(text_part=parts.text_part)).queries if parts.text_part else []
    prepared = Prepared(**parts.model_dump(), text_queries=texts)
    if parts.image_kind != "none":
        pictures = image_queries(ImageQueriesInputs(image_part=parts.image_part, image_kind=parts.image_kind))
        prepared.image_queries, prepared.image_question = pictures.queries, pictures.question
    return prepared
