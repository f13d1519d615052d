"""gather: read what no ranking selects, and record how much of it there is and was read (ours)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.fif.hop_record import with_components
from backtrail.nodes.fif.traverse import searches_words
from backtrail.nodes.gather_components import gather as gather_components
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.reading.pictures import sees_pictures
from backtrail.nodes.take_decision import settings_of
from backtrail.state.evidence import Evidence
from backtrail.state.fif.memory import Proposal
from backtrail.state.gathering import Gathering, GatherRequest, counts
from backtrail.state.hop import Hop, action_record
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox


class GatherSlice(TypedDict):
    """The proposal with its request, and the history with earlier gatherings."""

    proposal: Proposal
    hops: list[Hop]


class GatherWrites(TypedDict):
    """The gathering as a step of the history, and the components that it read."""

    hops: list[Hop]
    evidence: dict[str, Evidence]


def gather(toolbox: Toolbox) -> AsyncNode[GatherSlice, GatherWrites]:
    """Node: read the next pieces, without a call. Nothing found is a failed step, which the next decision sees."""

    async def gather_proposed(state: GatherSlice, runtime: Runtime[Settings]) -> GatherWrites:
        settings, proposal = settings_of(runtime), state["proposal"]
        request = proposal.get("gather") or GatherRequest(kind="phrase", target=proposal["subtask"], after=None)
        corpus = await asyncio.to_thread(toolbox.corpus, settings)
        words = searches_words(settings)
        earlier = [hop["gathering"] for hop in state["hops"] if "gathering" in hop]
        pictures = settings.pictures if sees_pictures(settings, "planner") else 0
        done = await asyncio.to_thread(
            gather_components, corpus, request, proposal["subtask"], earlier, words=words, pictures=pictures
        )
        return await asyncio.to_thread(_writes, corpus, proposal, len(state["hops"]), done, words)

    return gather_proposed


def _writes(corpus: CorpusReader, proposal: Proposal, step: int, done: Gathering, words: bool) -> GatherWrites:
    """Return the record of the step, and the evidence by reference. Reads the corpus (blocking)."""
    outcome = "failure" if done["error"] else "success"
    not_read = f" Not read: {'; '.join(done['notes'])}." if done["notes"] else ""
    reason = done["error"] or f"{counts(done)}.{not_read}"
    record = action_record("gather", step, proposal["subtask"], outcome, reason, proposal["why"])
    gathered, evidence = with_components(corpus, record, [one["component"] for one in done["pieces"]], words)
    return {"hops": [{**gathered, "gathering": done}], "evidence": evidence}
