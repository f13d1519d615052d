"""One description for an entity or relation: what was said of it, summed up where it is long.

A summary stays while everything it was made of is still said; what is said since stands behind it. Only when both
together are too long again they are summed up anew. A summary of something that is no longer said is dropped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.rules.knowledge.summarize_descriptions import summarize
from backtrail.state.knowledge.decisions import SummarizeDescriptionsInputs

LONGEST_DESCRIPTION = 4_800
"""Characters, about the 1,200 tokens for which LightRAG waits; what is longer is summed up by a model."""
LONGEST_OF_RULES = 1_000
"""Characters; rules cost nothing, and a vector holds little more. Also what is searched for is cut down to it."""
_SHOWN_CHARACTERS = 6_000
"""Of the descriptions that a summary is made from; the others stay where they were said, and are counted."""


@dataclass(frozen=True)
class LongDescription:
    """Descriptions that have to be summed up; ``hash`` is the identity of these inputs."""

    hash: bytes
    inputs: SummarizeDescriptionsInputs


@dataclass(frozen=True)
class Covered:
    """The summary (``hash`` of its inputs) that a thing had last, and the hashes of the texts that it stands for."""

    hash: bytes
    texts: frozenset[bytes]


@dataclass(frozen=True)
class Description:
    """``searched`` is what its vector is made of: no longer than a vector can hold."""

    text: str
    searched: str


Summarize = Callable[[Sequence[LongDescription]], Mapping[bytes, str]]
"""Sums up as many as it can; what is missing in the result is tried again by a later run."""


@dataclass
class Descriptions:
    """Describes in two passes: ``prepare`` collects in ``long`` what has to be summed up, then ``of`` describes.

    What has no summary yet is summed up by the rule meanwhile.

    Attributes:
        summaries: those at hand, by hash.
        covered: what the things that have a summary had it made of, by id.
        longest: characters beyond which a description is summed up.
        long: what is to be summed up, by hash.
    """

    summaries: dict[bytes, str] = field(default_factory=dict[bytes, str])
    covered: dict[str, Covered] = field(default_factory=dict[str, Covered])
    longest: int = LONGEST_DESCRIPTION
    long: dict[bytes, LongDescription] = field(default_factory=dict[bytes, LongDescription])
    _planned: dict[str, LongDescription] = field(default_factory=dict[str, LongDescription])

    def prepare(self, id_: str, name: str, texts: Sequence[str]) -> None:
        """Note what has to be summed up of a thing, if anything has to."""
        if _length(texts) > self.longest and _length(parts := self._parts(id_, texts)) > self.longest:
            planned = _long(name, parts)
            self._planned[id_] = self.long[planned.hash] = planned

    def of(self, id_: str, texts: Sequence[str]) -> Description:
        """The description of a thing that was prepared."""
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
        """What has a summary now, by id, given the texts of all things that were prepared."""
        kept: dict[str, Covered] = {}
        for id_, texts in described.items():
            planned = self._planned.get(id_)
            if planned is not None and planned.hash in self.summaries:
                kept[id_] = Covered(planned.hash, frozenset(map(_hash, texts)))
            elif _length(texts) > self.longest and (last := self._last(id_, texts)):
                kept[id_] = last
        return kept

    def _parts(self, id_: str, texts: Sequence[str]) -> Sequence[str]:
        """The last summary, where it still holds, and what it does not cover."""
        last = self._last(id_, texts)
        if last is None:
            return texts
        return [self.summaries[last.hash], *(text for text in texts if _hash(text) not in last.texts)]

    def _last(self, id_: str, texts: Sequence[str]) -> Covered | None:
        last = self.covered.get(id_)
        holds = last is not None and last.hash in self.summaries and last.texts <= set(map(_hash, texts))
        return last if holds else None


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
