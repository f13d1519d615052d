"""One description for an entity or relation: what was said of it, summed up where it is long."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.rules.summarize_descriptions import summarize
from backtrail.state.knowledge_decisions import SummarizeDescriptionsInputs

LONGEST_DESCRIPTION = 1_000
"""Characters; what is longer is summed up."""
_SHOWN_CHARACTERS = 6_000
"""Of the descriptions that a summary is made from; the others stay where they were said, and are counted."""


@dataclass(frozen=True)
class LongDescription:
    """Descriptions that have to be summed up; ``hash`` is the identity of these inputs."""

    hash: bytes
    inputs: SummarizeDescriptionsInputs


Summarize = Callable[[Sequence[LongDescription]], Mapping[bytes, str]]
"""Sums up as many as it can; what is missing in the result is tried again by a later run."""


@dataclass
class Descriptions:
    """Describes in two passes: ``long`` collects what has to be summed up before ``text`` is asked for it.

    ``summaries`` are those at hand, by hash. What has none is summed up by the rule meanwhile.
    """

    summaries: dict[bytes, str] = field(default_factory=dict[bytes, str])

    def long(self, described: Iterable[tuple[str, Sequence[str]]]) -> dict[bytes, LongDescription]:
        """What is too long among pairs of name and texts, by hash."""
        found = (_long(name, texts) for name, texts in described if _length(texts) > LONGEST_DESCRIPTION)
        return {one.hash: one for one in found}

    def text(self, name: str, texts: Sequence[str]) -> str:
        """The description of what is called ``name``."""
        if _length(texts) <= LONGEST_DESCRIPTION:
            return " ".join(texts)
        long = _long(name, texts)
        return self.summaries.get(long.hash) or summarize(long.inputs).summary


def _length(texts: Sequence[str]) -> int:
    return sum(len(text) + 1 for text in texts)


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
