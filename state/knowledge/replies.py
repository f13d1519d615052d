"""Compact reply format of the knowledge extractor.

Output tokens are expensive, and a strict JSON schema requires every field. So fields that are often empty are left out:
entities and triplets are arrays that end early, and a sentence that states several triplets is written once. Statements
about a table row need no sentence; code words it.
"""

from __future__ import annotations

from typing import Any, cast

from pydantic import Field, GetJsonSchemaHandler, PrivateAttr, ValidationError, field_validator, model_validator
from pydantic_core import CoreSchema

from backtrail.state.knowledge.chunks import (
    LONGEST_STATEMENT,
    ExtractedEntity,
    ExtractedKnowledge,
    ExtractedTriplet,
    Part,
)

_FORMS = (("text", "triplets"), ("row", "triplets"), ("row", "text", "triplets"))


class Statement(Part):
    """One sentence, or one row of a table, and the triplets that it states.

    A triplet is [head, relation, tail], then its weight (a number) where it is not 1, then keywords.
    """

    text: str = Field(default="", max_length=LONGEST_STATEMENT)
    row: int | None = None
    triplets: list[list[str | int | float]]

    @field_validator("triplets")
    @classmethod
    def _have_ends(cls, triplets: list[list[str | int | float]]) -> list[list[str | int | float]]:
        if short := [triplet for triplet in triplets if len(triplet) < 3]:
            raise ValueError(f"a triplet is [head, relation, tail, …]; {short[0]} is too short")
        return triplets

    @model_validator(mode="after")
    def _has_words(self) -> Statement:
        if not self.text.strip() and self.row is None:
            raise ValueError("give the statement's 'text', or the 'row' that states it")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return one object per allowed form: a strict schema has no optional fields."""
        properties = handler.resolve_ref_schema(handler(core))["properties"]
        fields = {**properties, "row": {"type": "integer"}}
        forms = [{"type": "object", "properties": {name: fields[name] for name in form}} for form in _FORMS]
        return {"anyOf": forms}

    def read(self) -> list[ExtractedTriplet]:
        """Return its triplets; without a sentence "head relation tail" is the text."""
        return [self._triplet(*triplet) for triplet in self.triplets]

    def _triplet(self, head: object, relation: object, tail: object, *more: str | int | float) -> ExtractedTriplet:
        weighted = bool(more) and not isinstance(more[0], str)
        words = [str(word) for word in more[weighted:]]
        return ExtractedTriplet(
            head=str(head),
            relation=str(relation),
            tail=str(tail),
            text=self.text if self.text.strip() else f"{head} {relation} {tail}",
            weight=float(more[0]) if weighted else 1.0,
            keywords=[word for word in words if word.strip()],
            row=self.row,
        )


class ChunkReply(Part):
    """What one chunk says. An entity is [name], [name, kind] or [name, kind, description]."""

    chunk: int = Field(description="Number of the chunk in the request, from 1.")
    entities: list[list[str]]
    statements: list[Statement]
    _said: ExtractedKnowledge = PrivateAttr()

    @field_validator("entities")
    @classmethod
    def _are_entities(cls, entities: list[list[str]]) -> list[list[str]]:
        if wrong := [entity for entity in entities if not 1 <= len(entity) <= 3]:
            raise ValueError(f"an entity is [name, kind, description]; {wrong[0]} has {len(wrong[0])} parts")
        return entities

    @model_validator(mode="after")
    def _is_within_limits(self) -> ChunkReply:
        entities = [
            ExtractedEntity(**dict(zip(("name", "kind", "description"), entity, strict=False)))
            for entity in self.entities
        ]
        triplets = [triplet for statement in self.statements for triplet in statement.read()]
        self._said = ExtractedKnowledge(entities=entities, triplets=triplets)
        return self

    def read(self) -> ExtractedKnowledge:
        """Return the extracted knowledge with named fields."""
        return self._said


class KnowledgeReply(Part):
    """What the chunks of a request say, one entry for each."""

    chunks: list[ChunkReply]

    @field_validator("chunks", mode="before")
    @classmethod
    def _sound_ones(cls, value: object) -> object:
        # Drop malformed entries unless all are: one bad chunk must not cost its neighbours.
        if not isinstance(value, list):
            return value
        entries = cast("list[object]", value)
        return [one for one in entries if _is_sound(one)] or entries


def _is_sound(one: object) -> bool:
    try:
        ChunkReply.model_validate(one)
    except ValidationError:
        return False
    return True
