"""What MMAPG's variants differ in."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.state.variant import Variants


@dataclass(frozen=True)
class MmapgVariant:
    """Differences from the paper that a run can do without.

    Args:
        links: retrievals may follow the links of their parents' sources; the paper's knowledge bases have none.
        one_preparation: one decision splits an instruction and writes all its queries, and where nothing is searched
            by query there is none; in the paper each of the three is a call.
        chunks: candidates are examined several at a time, on to the next ones only while the instruction is not
            settled; in the paper each is a call, and all are examined.
        forced: what can only be done in one way is done without asking: the first retrieval, the compilation of a
            single finding, the answer once all that the plan needs is found, the stop after an answer to the whole.
        search_words: candidates are also those that words and vectors find together, and what they are told by is
            their section too; the paper has a radius of vectors alone.
        one_place: what says the same takes one place in the ranking; in the paper each has its own.
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
