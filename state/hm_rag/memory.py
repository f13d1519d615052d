"""HM-RAG's memory: sub-questions, replies of agents, positions of sources, and the vote."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer import Citation
from backtrail.state.conversation import MethodOutput
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.hop import Scored
from backtrail.state.memory import Memory
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges

Status = Literal["answered", "abstained", "failed"]
ReplyStatus = Literal["answered", "abstained", "failed", "searched"]
"""``searched``: the agent only searched; the part is read later, together with others."""
WHOLE = "whole"
"""Id of the whole question, asked without a split or answered from the results of its parts."""


class Option(TypedDict):
    """An answer option of a multiple-choice question."""

    label: str
    text: str


class FoundTriplet(TypedDict):
    """A triplet of the knowledge graph, with its relevance and how it came into the subgraph."""

    id: str
    score: float
    by: Literal["match", "local neighbour", "edge neighbour"]


class FoundPicture(TypedDict):
    """A picture that shows an entity of the subgraph."""

    entity: str
    blob: str


class Retrieved(TypedDict):
    """Results of an agent's search, by reference, best first."""

    queries: list[str]
    components: list[Scored]
    triplets: list[FoundTriplet]
    pictures: list[FoundPicture]


class Keywords(TypedDict):
    """Low-level keywords name entities, high-level ones themes."""

    low: list[str]
    high: list[str]


class AgentTask(TypedDict):
    """Task of one agent for one sub-question: the payload of its ``Send``.

    ``named`` are the keywords of the plan; ``search_only``: the results are read later, with other parts. ``wave`` is 1
    for parts without dependencies, 2 for parts that depend on wave 1, and so on.
    """

    source: str
    subquery: str
    number: int
    text: str
    options: list[Option]
    image: str | None
    spent: dict[str, Charge]
    wave: int
    named: NotRequired[Keywords]
    search_only: NotRequired[bool]


class AgentReply(TypedDict):
    """Reply of one agent to one sub-question. ``option`` is the label of a chosen option.

    ``quotes`` and ``signals`` are those of a reading by rules.
    """

    id: str
    source: str
    subquery: str
    question: str
    status: ReplyStatus
    short: NotRequired[str]
    text: str
    option: str | None
    confidence: float
    citations: list[Citation]
    retrieved: Retrieved
    reason: str
    wave: NotRequired[int]
    quotes: NotRequired[list[Citation]]
    signals: NotRequired[dict[str, float]]


def merge_replies(current: list[AgentReply], new: list[AgentReply]) -> list[AgentReply]:
    """Reducer: by id, sorted; a reply with a known id replaces the earlier one, so replays change nothing."""
    by_id = {reply["id"]: reply for reply in [*current, *new]}
    return [by_id[key] for key in sorted(by_id)]


class Position(TypedDict):
    """Position of one source on the question. ``todo`` lists the steps left before the vote."""

    source: str
    status: Status
    short: NotRequired[str]
    text: str
    summary: str
    option: str | None
    confidence: float
    citations: list[Citation]
    reason: str
    todo: list[Literal["combine", "summarise"]]


def merge_positions(current: list[Position], new: list[Position]) -> list[Position]:
    """Reducer: by source, in order of first appearance."""
    newer = {position["source"]: position for position in new}
    kept = [newer.pop(position["source"], position) for position in current]
    return kept + list(newer.values())


class Pair(TypedDict):
    """Similarity of two answers. ``same_option`` is None if one of them chose no option."""

    sources: list[str]
    rouge_l: float
    bleu: float
    similarity: float
    same_option: bool | None
    agree: bool


Outcome = Literal["agreed", "alone", "contested", "disagreed", "nobody", "not held"]


class Vote(TypedDict):
    """The consistency vote: every pair, the sources that agree, and those excluded with the reason."""

    pairs: list[Pair]
    winners: list[str]
    excluded: dict[str, str]
    outcome: Outcome
    reason: str


class Verdict(TypedDict):
    """The answer of the run before delivery, and who made it."""

    by: Literal["vote", "merge", "expert", "first source", "nobody"]
    short: NotRequired[str]
    text: str
    option: str | None
    citations: list[Citation]
    confidence: float
    abstained: bool


class Searching(AgentTask):
    """A task with its keywords; with a reply if there is no graph to search."""

    keywords: Keywords
    replies: NotRequired[list[AgentReply]]


class Reading(AgentTask):
    """A task with its search results."""

    retrieved: Retrieved
    usage: dict[str, Charge]


class AgentState(AgentTask, total=False):
    """State of one agent for one sub-question."""

    keywords: Keywords
    retrieved: Retrieved
    replies: list[AgentReply]
    evidence: dict[str, Evidence]
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class AgentDone(TypedDict, total=False):
    """Output of an agent."""

    replies: list[AgentReply]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]


class BridgeTask(TypedDict):
    """A part that others depend on, with the replies of all sources: the payload of its ``Send``."""

    part: Subquery
    number: int
    replies: list[AgentReply]
    image: str | None
    spent: dict[str, Charge]


class SettleTask(TypedDict):
    """The steps left for one source before the vote: the payload of its ``Send``. Notes answer parts."""

    question: str
    options: list[Option]
    image: str | None
    position: Position
    replies: list[AgentReply]
    notes: list[str]
    spent: dict[str, Charge]


class SettleState(SettleTask, total=False):
    """State of settling one source."""

    positions: list[Position]
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class Settled(TypedDict, total=False):
    """Output of settling one source."""

    positions: list[Position]
    usage: dict[str, Charge]
    failures: list[Failure]


class HmRagState(Memory, total=False):
    """State of an HM-RAG run. Contents and pixels stay in the corpus or in the store of fetched files."""

    full_question: str
    options: list[Option]
    several_intents: bool
    completing: bool
    named: dict[str, Keywords]
    next_wave: bool
    tasks: list[AgentTask]
    replies: Annotated[list[AgentReply], merge_replies]
    positions: Annotated[list[Position], merge_positions]
    vote: Vote | None
    verdict: Verdict | None


class HmRagAnswered(MethodOutput, total=False):
    """Output of HM-RAG: the common output with every answer and the vote."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    replies: Annotated[list[AgentReply], merge_replies]
    positions: Annotated[list[Position], merge_positions]
    vote: NotRequired[Vote | None]
