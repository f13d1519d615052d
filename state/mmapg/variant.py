"""Differences between MMAPG's variants."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class MmapgVariant:
    """Deviations from the paper, enabled in ``ours``.

    Args:
        links: retrievals may follow the links of their parents' sources; the paper's knowledge bases have none.
        one_preparation: one decision splits an instruction and writes its queries, and none is taken where nothing is
            searched by query; in the paper each of the three is a call.
        chunks: several candidates are examined per call, until the instruction is settled; in the paper each is a call,
            and all are examined.
        forced: steps without an alternative take no call: the first retrieval, the compilation of a single finding, the
            answer once all that the plan needs is found, the stop after an answer to the whole question.
        search_words: hybrid search adds candidates, and their section counts in their examination; the paper uses a
            radius
            of vectors alone.
        deduplicate_components: components with the same content share one place in the ranking; the paper ranks each.
    """

    links: bool
    one_preparation: bool
    chunks: bool
    forced: bool
    search_words: bool
    deduplicate_components: bool


MMAPG = Variants(
    published=MmapgVariant(
        links=False, one_preparation=False, chunks=False, forced=False, search_words=False, deduplicate_components=False
    ),
    ours=MmapgVariant(
        links=True, one_preparation=True, chunks=True, forced=True, search_words=True, deduplicate_components=True
    ),
)
