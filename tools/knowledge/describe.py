"""Descriptions of entities and relations: their texts joined, and summarized if they are long.

A summary is kept while all texts that it covers exist; later texts are appended to it. Both are summarized again once
they are too long together. A summary is dropped when one of its texts is gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.rules.knowledge.summarize_descriptions import summarize
from backtrail.state.knowledge.decisions import SummarizeDescriptionsInputs

LONGEST_DESCRIPTION = 4_800
"""Characters beyond which a model summarizes: about the 1,200 tokens of LightRAG."""
LONGEST_OF_RULES = 1_000
"""Characters beyond which rules summarize, and the limit of searched texts, as a vector represents little more."""
_SHOWN_CHARACTERS = 6_000
"""Characters of the descriptions that a summary is made from; further ones are only counted."""


@dataclass(frozen=True)
class LongDescription:
    """Descriptions to summarize; ``hash`` identifies these inputs."""

    hash: bytes
    inputs: SummarizeDescriptionsInputs


@dataclass(frozen=True)
class Covered:
    """Last summary of an entity or relation (``hash`` of its inputs), and hashes of the texts it covers."""

    hash: bytes
    texts: frozenset[bytes]


@dataclass(frozen=True)
class Description:
    """A description; ``searched`` is the shorter text that is embedded."""

    text: str
    searched: str


Summarize = Callable[[Sequence[LongDescription]], Mapping[bytes, str]]
"""Summarizes as many as it can; a later run tries those missing in the result again."""


@dataclass
class Descriptions:
    """Describes in two passes: ``prepare`` collects texts to summarize in ``long``, then ``of`` describes.

    Without a summary by the model, the rule's summary is used.

    Attributes:
        summaries: available summaries, by hash.
        covered: the last summary of each entity or relation, by id.
        longest: characters beyond which a description is summarized.
        long: texts to summarize, by hash.
    """

    summaries: dict[bytes, str] = field(default_factory=dict[bytes, str])
    covered: dict[str, Covered] = field(default_factory=dict[str, Covered])
    longest: int = LONGEST_DESCRIPTION
    long: dict[bytes, LongDescription] = field(default_factory=dict[bytes, LongDescription])
    _planned: dict[str, LongDescription] = field(default_factory=dict[str, LongDescription])

    def prepare(self, id_: str, name: str, texts: Sequence[str]) -> None:
        """Add the texts of an entity or relation to ``long`` if they have to be summarized."""
        if _length(texts) > self.longest and _length(parts := self._parts(id_, texts)) > self.longest:
            planned = _long(name, parts)
            self._planned[id_] = self.long[planned.hash] = planned

    def of(self, id_: str, texts: Sequence[str]) -> Description:
        """Return the description of a prepared entity or relation."""
        planned = self._planned.get(id_)
        if planned is not None:
            summary = self.summaries.get(planned.hash) or summarize(planned.inputs).summary
            return Description(summary, summary)
        parts = self._parts(id_, texts) if _length(texts) > self.longest else texts
        text = " ".join(parts)
        if len(parts) < 2 or len(text) <= LONGEST_OF_RULES:
            return Description(text, text)
        return Description(text, summarize(SummarizeDescriptionsInputs(name="", descriptions=list(parts))).summary)

    def now_covered(self, described: Mapping[str, Sequence[str]]) -> dict[str, Covered]:
        """Return the summaries in use by id, given the texts of everything prepared."""
        kept: dict[str, Covered] = {}
        for id_, texts in described.items():
            planned = self._planned.get(id_)
            if planned is not None and planned.hash in self.summaries:
                kept[id_] = Covered(planned.hash, frozenset(map(_hash, texts)))
            elif _length(texts) > self.longest and (last := self._last(id_, texts)):
                kept[id_] = last
        return kept

    def _parts(self, id_: str, texts: Sequence[str]) -> Sequence[str]:
        """Return the last summary, if it is valid, and the texts that it does not cover; else the texts."""
        last = self._last(id_, texts)
        if last is None:
            return texts
        return [self.summaries[last.hash], *(text for text in texts if _hash(text) not in last.texts)]

    def _last(self, id_: str, texts: Sequence[str]) -> Covered | None:
        last = self.covered.get(id_)
        valid = last is not None and last.hash in self.summaries and last.texts <= set(map(_hash, texts))
        return last if valid else None


def _length(texts: Sequence[str]) -> int:
    return sum(len(text) + 1 for text in texts)


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _long(name: str, texts: Sequence[str]) -> LongDescription:
    shown: list[str] = []
    room = _SHOWN_CHARACTERS
    for text in texts:
        if len(text) > room and shown:
            break
        shown.append(text)
        room -= len(text)
    inputs = SummarizeDescriptionsInputs(name=name, descriptions=shown, left_out=len(texts) - len(shown))
    digest = hashlib.blake2b(inputs.model_dump_json().encode("utf-8", "surrogatepass"), digest_size=16)
    return LongDescription(digest.digest(), inputs)
