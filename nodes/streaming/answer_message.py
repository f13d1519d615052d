"""The answer of a run as a chat message in Markdown with structured values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from langchain_core.messages import AIMessage, Citation

from backtrail.nodes.reading.citation_locations import also_at
from backtrail.nodes.reading.component_views import clip
from backtrail.nodes.streaming.escape_markdown import address, inline, line, link, markdown, picture, prose
from backtrail.nodes.streaming.numbered_sources import Where, sources
from backtrail.state.answer import Answer
from backtrail.state.answer_structure import structure_markdown, structure_of
from backtrail.state.budget import ceiling_of
from backtrail.state.chat.answer_payload import PAYLOAD_KEY, AnswerPayload, Ceiling, Confidence, Source
from backtrail.state.chat.stop_messages import CEILINGS
from backtrail.state.coverage import complete_in_words
from backtrail.state.settings import Budget, Settings
from backtrail.state.subquery import Subquery
from backtrail.tools.toolbox import Toolbox

MARKS = {
    "own": "From the model's own knowledge, not from evidence.",
    "both": "In part from the model's own knowledge; evidence is cited.",
    "quotes": "Quoted by rules, because the model failed.",
}
ALSO_ASKED = "Also asked, but not searched: without a model, one question is answered at a time."
QUESTION_CHARACTERS = 2_000
HIGH, MEDIUM = 0.75, 0.4
"""Least estimates of a model that are called high and medium (ours)."""
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
    other_questions: Sequence[str] = (),
) -> AIMessage:
    """Build the message. Reads the addresses of cited documents (blocking)."""
    payload = payload_of_answer(toolbox, settings, reply, question, subqueries, stop_reason, where)
    if other_questions:
        payload["other_questions"] = [clip(one, QUESTION_CHARACTERS) for one in other_questions]
    by_rules = "calibrated" in reply or reply.get("grounds") == "quotes"
    content = in_markdown(payload, prose if by_rules else markdown)
    message = AIMessage(content=content, additional_kwargs={PAYLOAD_KEY: payload})
    if settings.output_version == "v0":
        return message
    block = {"type": "text", "text": content, "annotations": _annotations(payload)}
    return message.model_copy(update={"content": [block], "response_metadata": {"output_version": "v1"}})


def payload_of_answer(
    toolbox: Toolbox,
    settings: Settings,
    reply: Answer,
    question: str,
    subqueries: Sequence[Subquery],
    stop_reason: str,
    where: Where,
) -> AnswerPayload:
    """Return the structured values of the message."""
    quotes = reply.get("quotes", []) if reply["abstained"] else []
    # if rules withhold an answer, its text lists the quotes, one per line; the message has them as sources
    text = reply["text"].partition("\n")[0] if quotes else reply["text"]
    payload: AnswerPayload = {
        "question": clip(question, QUESTION_CHARACTERS),
        "short": reply.get("short", ""),
        "text": text,
        "abstained": reply["abstained"],
        "sources": sources(toolbox, settings, quotes or reply["citations"], where),
        "not_found": reply.get("not_found", []),
        "open_subqueries": _still_open(subqueries, reply),
        "stop_reason": stop_reason,
        "thread": where.thread,
        "trace": where.trace,
        **structure_of(reply),
    }
    if grounds := reply.get("grounds"):
        payload["grounds"] = grounds
    if "coverage" in reply:
        payload["coverage"] = reply["coverage"]
    if "complete" in reply:
        payload["complete"] = reply["complete"]
    if confidence := _confidence(reply):
        payload["confidence"] = confidence
    if ceiling := _ceiling(stop_reason, settings.budget):
        payload["ceiling"] = ceiling
    return payload


def _still_open(subqueries: Sequence[Subquery], reply: Answer) -> list[str]:
    """Return unanswered subqueries; a question without a split has none."""
    if len(subqueries) < 2:
        return []
    return [one["text"] for one in subqueries if one["status"] != "answered" and not one["answer"]]


def _confidence(reply: Answer) -> Confidence | None:
    """Return the confidence; None for abstentions, and for quotes in place of a failed model."""
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


def _annotations(payload: AnswerPayload) -> list[Citation]:
    """Return the citations as LangChain's annotations, in the order of their numbers; none for abstentions."""
    found: list[Citation] = []
    for one in [] if payload["abstained"] else payload["sources"]:
        extras = {
            "number": one["number"],
            "component": one["component"],
            "place": one["place"],
            "picture": one["picture"],
        }
        citation: Citation = {
            "type": "citation", "title": _title(one), "cited_text": one["quote"],
            "extras": {"document": one["document"], **extras},
        }  # fmt: skip
        if one["address"]:
            citation["url"] = one["address"]
        found.append(citation)
    return found


# --- Markdown ----------------------------------------------------------------------------------------
def in_markdown(payload: AnswerPayload, escape: Callable[[str], str] = prose) -> str:
    """Return the message's text. It begins with the answer, so that clients may stream it.

    Args:
        escape: escapes the answer's text: a model writes Markdown, rules quote documents.
    """
    return "\n\n".join(part for part in (escape(payload["text"]), _structure(payload), *_below(payload)) if part)


def _structure(payload: AnswerPayload) -> str:
    return structure_markdown(structure_of(payload), prose=markdown, inline=inline)


def _below(payload: AnswerPayload) -> Iterator[str]:
    """Yield the parts below the answer."""
    if payload.get("grounds", "") in MARKS:
        yield f"*{MARKS[payload.get('grounds', '')]}*"
    if confidence := payload.get("confidence"):
        yield f"*Confidence: {confidence['level']} ({_MEASURES[confidence['by']]}).*"
    if (complete := payload.get("complete")) and (words := complete_in_words(complete)):
        yield f"*{line(words)}*"
    if payload["not_found"]:
        yield f"**Not found in the cited sources:** {'; '.join(map(line, payload['not_found']))}"
    if payload["sources"]:
        heading = [] if payload["abstained"] else ["**Sources**", ""]  # an abstention's text introduces its quotes
        yield "\n".join([*heading, *_sources(payload["sources"])])
    if payload["open_subqueries"]:
        # beside an answer this describes the search, not a gap in the answer
        heading = "**Not answered:**" if payload["abstained"] else "**Not settled by the search:**"
        yield _listed(heading, payload["open_subqueries"])
    if also := payload.get("other_questions"):
        yield _listed(f"**{ALSO_ASKED}**", also)
    if ceiling := payload.get("ceiling"):
        yield _ended(ceiling, payload)
    if trail := address(payload["trace"]):
        yield f"[How this was found](<{trail}>)"


def _listed(heading: str, texts: Sequence[str]) -> str:
    return "\n".join([heading, "", *(f"- {line(text)}" for text in texts)])


def _title(one: Source) -> str:
    section = one["section"] if one["section"] != one["title"] else ""
    return " › ".join(part for part in (one["title"], section) if part)


def _sources(cited: Sequence[Source]) -> Iterator[str]:
    for one in cited:
        title = _title(one)
        quote = f": “{line(one['quote'])}”" if one["quote"].strip() else ""
        yield f"{one['number']}. {link(title, one['address'])} ({line(one['place'])}){quote}"
        if elsewhere := also_at(one):
            yield f"   *also at {line(elsewhere)}*"
        if shown := picture(title, one["picture"]):
            yield f"   {shown}"


def _ended(ceiling: Ceiling, payload: AnswerPayload) -> str:
    """Return that a budget ended the run, and what a larger one would allow."""
    allowed, unit = ceiling["allowed"], CEILINGS[ceiling["name"]]
    unit = unit.removesuffix("s") if allowed == 1 else unit
    so_far = "" if payload["abstained"] else " The answer is the best so far."
    next_ = "what is not settled yet would be searched" if payload["open_subqueries"] else "the search would continue"
    return (
        f"*The budget ended this run: {allowed:,.6g} {unit}.{so_far} "
        f"With a larger `budget.{ceiling['name']}`, {next_} from where it stopped.*"
    )
