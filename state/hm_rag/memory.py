"""HM-RAG's memory: sub-questions, what each agent replied, what each source holds, and the vote."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer import Citation
from backtrail.state.conversation import Answered
from backtrail.state.evidence import Evidence
from backtrail.state.failure import Failure, merge_failures
from backtrail.state.hop import Scored
from backtrail.state.memory import Memory
from backtrail.state.subquery import Subquery, merge_subqueries
from backtrail.state.usage import Charge, merge_charges

Status = Literal["answered", "abstained", "failed"]
ReplyStatus = Literal["answered", "abstained", "failed", "searched"]
"""An agent that only searched, for a part that is read together with others, said nothing yet."""
WHOLE = "whole"
"""Id of the question itself, where it is asked unsplit or answered from what its parts found."""


class Option(TypedDict):
    """One of the answers that a multiple-choice question offers."""

    label: str
    text: str


class FoundTriplet(TypedDict):
    """A relation of the knowledge graph by id: how relevant, and how it came into the subgraph."""

    id: str
    score: float
    by: Literal["match", "local neighbour", "edge neighbour"]


class FoundPicture(TypedDict):
    """A picture that shows an entity of the subgraph."""

    entity: str
    blob: str


class Retrieved(TypedDict):
    """What an agent found, by reference. Best first."""

    queries: list[str]
    components: list[Scored]
    triplets: list[FoundTriplet]
    pictures: list[FoundPicture]


class Keywords(TypedDict):
    """Low-level keywords name entities, high-level ones themes."""

    low: list[str]
    high: list[str]


class AgentTask(TypedDict):
    """What one agent is given for one sub-question: the payload of its ``Send``.

    ``named`` are keywords that came with the plan; ``search_only``: what is found is read later, with other parts.
    ``wave``: 1 for what waits for nobody's answer, 2 for what waits for one of the first, and so on.
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
    """What one agent makes of one sub-question. ``option`` is a label of the offered ones.

    ``quotes``: where rules read, the pieces that most likely hold the answer; ``signals`` are those of the reading.
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


def merge_replies(held: list[AgentReply], new: list[AgentReply]) -> list[AgentReply]:
    """Reducer: by id, sorted; an id seen again replaces its reply, so a replayed step changes nothing."""
    by_id = {reply["id"]: reply for reply in [*held, *new]}
    return [by_id[key] for key in sorted(by_id)]


class Position(TypedDict):
    """What one source holds on the question. ``todo`` is what is left to do before the vote."""

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


def merge_positions(held: list[Position], new: list[Position]) -> list[Position]:
    """Reducer: by source, in the order in which sources came first."""
    newer = {position["source"]: position for position in new}
    kept = [newer.pop(position["source"], position) for position in held]
    return kept + list(newer.values())


class Pair(TypedDict):
    """How near two answers are. ``same_option`` is None where one of them chose none."""

    sources: list[str]
    rouge_l: float
    bleu: float
    similarity: float
    same_option: bool | None
    agree: bool


Outcome = Literal["agreed", "alone", "contested", "disagreed", "nobody", "not held"]


class Vote(TypedDict):
    """The consistency vote: every pair, who agrees, who was left out and why."""

    pairs: list[Pair]
    winners: list[str]
    excluded: dict[str, str]
    outcome: Outcome
    reason: str


class Verdict(TypedDict):
    """The answer of the run before it is handed over, and who made it."""

    by: Literal["vote", "merge", "expert", "first source", "nobody"]
    short: NotRequired[str]
    text: str
    option: str | None
    citations: list[Citation]
    confidence: float
    abstained: bool


class Searching(AgentTask):
    """A task with the keywords that were chosen for it; with a reply, if there is no graph to be searched."""

    keywords: Keywords
    replies: NotRequired[list[AgentReply]]


class Reading(AgentTask):
    """A task with what was found for it."""

    retrieved: Retrieved
    usage: dict[str, Charge]


class AgentState(AgentTask, total=False):
    """The memory of one agent at work on one sub-question."""

    keywords: Keywords
    retrieved: Retrieved
    replies: list[AgentReply]
    evidence: dict[str, Evidence]
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class AgentDone(TypedDict, total=False):
    """What an agent hands back, and nothing else."""

    replies: list[AgentReply]
    evidence: dict[str, Evidence]
    usage: dict[str, Charge]
    failures: list[Failure]


class BridgeTask(TypedDict):
    """A part that others wait for, with what all sources found for it: the payload of its ``Send``."""

    part: Subquery
    number: int
    replies: list[AgentReply]
    image: str | None
    spent: dict[str, Charge]


class SettleTask(TypedDict):
    """What is left to do for one source before the vote: the payload of its ``Send``. Notes answer parts."""

    question: str
    options: list[Option]
    image: str | None
    position: Position
    replies: list[AgentReply]
    notes: list[str]
    spent: dict[str, Charge]


class SettleState(SettleTask, total=False):
    """The memory of settling one source."""

    positions: list[Position]
    usage: Annotated[dict[str, Charge], merge_charges]
    failures: Annotated[list[Failure], merge_failures]


class Settled(TypedDict, total=False):
    """What settling hands back."""

    positions: list[Position]
    usage: dict[str, Charge]
    failures: list[Failure]


class HmRagState(Memory, total=False):
    """Everything a run of HM-RAG remembers. Contents and pixels stay in the corpus or on the shelf."""

    asked: str
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


class HmRagAnswered(Answered, total=False):
    """What a caller of HM-RAG gets back: the common outcome, with every answer and the vote."""

    subqueries: Annotated[list[Subquery], merge_subqueries]
    replies: Annotated[list[AgentReply], merge_replies]
    positions: Annotated[list[Position], merge_positions]
    vote: NotRequired[Vote | None]
