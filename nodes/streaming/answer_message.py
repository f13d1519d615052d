"""Format the answer of a run as a chat message in Markdown with structured values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import AIMessage

from backtrail.nodes.reading.citation_locations import also_at
from backtrail.nodes.reading.component_views import clip
from backtrail.nodes.streaming.escape_markdown import address, line, link, picture, prose
from backtrail.nodes.streaming.numbered_sources import Where, sources
from backtrail.state.answer import Answer
from backtrail.state.budget import ceiling_of
from backtrail.state.chat.answer_payload import TOLD, Ceiling, Confidence, Source, Told
from backtrail.state.chat.stop_messages import CEILINGS
from backtrail.state.settings import Budget, Settings
from backtrail.state.subquery import Subquery
from backtrail.tools.toolbox import Toolbox

MARKS = {
    "own": "From the model's own knowledge: nothing that was found says so.",
    "both": "In part from the model's own knowledge; what was found is cited.",
    "quotes": "Quoted by rules, because the model failed.",
}
ALSO_ASKED = "Asked as well, and not looked for: without a model one question is answered at a time."
QUESTION_CHARACTERS = 2_000
HIGH, MEDIUM = 0.75, 0.4
"""From which a model's own estimate is called high or medium (ours)."""
_MEASURES = {"calibration": "read without a model", "model": "the model's own estimate"}


def answer_message(
    toolbox: Toolbox,
    settings: Settings,
    reply: Answer,
    question: str,
    subqueries: Sequence[Subquery],
    stop_reason: str,
    where: Where,
    *,
    also_asked: Sequence[str] = (),
) -> AIMessage:
    """The message. Reads the addresses of what is cited (blocking)."""
    told = answer_told(toolbox, settings, reply, question, subqueries, stop_reason, where)
    if also_asked:
        told["also_asked"] = [clip(one, QUESTION_CHARACTERS) for one in also_asked]
    return AIMessage(content=in_markdown(told), additional_kwargs={TOLD: told})


def answer_told(
    toolbox: Toolbox,
    settings: Settings,
    reply: Answer,
    question: str,
    subqueries: Sequence[Subquery],
    stop_reason: str,
    where: Where,
) -> Told:
    """What the message says, as values."""
    quotes = reply.get("quotes", []) if reply["abstained"] else []
    # where rules withhold an answer its text lists the quotes, one a line; they are told as sources
    text = reply["text"].partition("\n")[0] if quotes else reply["text"]
    told: Told = {
        "question": clip(question, QUESTION_CHARACTERS),
        "short": reply.get("short", ""),
        "text": text,
        "abstained": reply["abstained"],
        "sources": sources(toolbox, settings, quotes or reply["citations"], where),
        "unborne": reply.get("unborne", []),
        "still_open": _still_open(subqueries, reply),
        "stop_reason": stop_reason,
        "thread": where.thread,
        "trace": where.trace,
    }
    if grounds := reply.get("grounds"):
        told["grounds"] = grounds
    if confidence := _confidence(reply):
        told["confidence"] = confidence
    if ceiling := _ceiling(stop_reason, settings.budget):
        told["ceiling"] = ceiling
    return told


def _still_open(subqueries: Sequence[Subquery], reply: Answer) -> list[str]:
    """Parts of the question without an answer; the question itself, when it was not divided, is none."""
    if len(subqueries) < 2:
        return []
    return [one["text"] for one in subqueries if one["status"] != "answered" and not one["answer"]]


def _confidence(reply: Answer) -> Confidence | None:
    """None where nothing is claimed: of abstentions, and of what rules quote in the place of a failed model."""
    read = reply.get("calibrated")
    if reply["abstained"] or reply.get("grounds") == "quotes":
        return None
    if read is not None:
        return {"level": read["level"], "by": "calibration"}
    sure = reply["confidence"]
    return {"level": "high" if sure >= HIGH else "medium" if sure >= MEDIUM else "low", "by": "model"}


def _ceiling(stop_reason: str, budget: Budget) -> Ceiling | None:
    kind, _, name = stop_reason.partition(":")
    allowed = ceiling_of(budget, name) if kind == "budget" and name in CEILINGS else None
    return {"name": name, "allowed": allowed} if allowed is not None else None


# --- in words ----------------------------------------------------------------------------------------
def in_markdown(told: Told) -> str:
    """The message's words. They begin with the answer's own, so that a client may be shown these as they come."""
    return "\n\n".join(part for part in (prose(told["text"]), *_below(told)) if part)


def _below(told: Told) -> Iterator[str]:
    """What stands below the answer."""
    if told.get("grounds", "") in MARKS:
        yield f"*{MARKS[told.get('grounds', '')]}*"
    if confidence := told.get("confidence"):
        yield f"*Confidence: {confidence['level']} ({_MEASURES[confidence['by']]}).*"
    if told["unborne"]:
        yield _listed("**Not plainly said by what is cited:**", told["unborne"])
    if told["sources"]:
        heading = [] if told["abstained"] else ["**Sources**", ""]  # an abstention's last words announce its quotes
        yield "\n".join([*heading, *_sources(told["sources"])])
    if told["still_open"]:
        # beside an answer this says how it was come by, and not that it lacks something
        heading = "**Not answered:**" if told["abstained"] else "**Not settled by the search:**"
        yield _listed(heading, told["still_open"])
    if also := told.get("also_asked"):
        yield _listed(f"**{ALSO_ASKED}**", also)
    if ceiling := told.get("ceiling"):
        yield _ended(ceiling, told)
    if trail := address(told["trace"]):
        yield f"[How this was found](<{trail}>)"


def _listed(heading: str, texts: Sequence[str]) -> str:
    return "\n".join([heading, "", *(f"- {line(text)}" for text in texts)])


def _sources(cited: Sequence[Source]) -> Iterator[str]:
    for one in cited:
        section = one["section"] if one["section"] != one["title"] else ""
        title = " › ".join(part for part in (one["title"], section) if part)
        quote = f": “{line(one['quote'])}”" if one["quote"].strip() else ""
        yield f"{one['number']}. {link(title, one['address'])} ({line(one['place'])}){quote}"
        if elsewhere := also_at(one):
            yield f"   *also at {line(elsewhere)}*"
        if shown := picture(title, one["picture"]):
            yield f"   {shown}"


def _ended(ceiling: Ceiling, told: Told) -> str:
    """That a budget ended the run, and what would go on from there."""
    allowed, unit = ceiling["allowed"], CEILINGS[ceiling["name"]]
    unit = unit.removesuffix("s") if allowed == 1 else unit
    so_far = "" if told["abstained"] else " The answer is the best so far."
    next_ = "what is not settled yet would be sought" if told["still_open"] else "the search would go on"
    return (
        f"*The budget ended this run: {allowed:,.6g} {unit}.{so_far} "
        f"With a larger `budget.{ceiling['name']}`, {next_} from where it stood.*"
    )
