"""Extract the words around a picture: its subject, its caption, the objects detected in it."""

from __future__ import annotations

from backtrail.language.sentences import split_sentences
from backtrail.rules.knowledge.statement_parts import about, as_name, cut, statement
from backtrail.state.knowledge.chunks import (
    LONGEST_STATEMENT,
    ExtractedEntity,
    ExtractedKnowledge,
    KnowledgeChunk,
)


def read_picture(inputs: KnowledgeChunk) -> ExtractedKnowledge:
    """Attribute the picture to the entity of its name, else to the document's subject."""
    subject = as_name(inputs.name) or as_name(inputs.title)
    caption = inputs.caption or next(iter(split_sentences(inputs.text)), "")
    if not subject or not (caption or inputs.name or inputs.objects):
        return ExtractedKnowledge()
    shown = about(subject, caption)
    triplets = [
        statement(as_name(inputs.title), "picture", subject, shown, keywords="picture"),
        *(statement(subject, "picture shows", as_name(seen), about(subject, seen)) for seen in inputs.objects),
        *(
            statement(subject, "picture caption names", as_name(anchor.text), shown)
            for anchor in inputs.anchors
            if anchor.text.strip()
        ),
    ]
    entities = [ExtractedEntity(name=subject, description=cut(caption, LONGEST_STATEMENT))]
    return ExtractedKnowledge(entities=entities, triplets=[triplet for triplet in triplets if triplet])
