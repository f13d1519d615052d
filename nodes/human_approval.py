"""Ask people before a run continues, where the settings say so (human in the loop).

A node that asks is run again from its start once it is answered, so it asks before it does anything that costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.types import interrupt

from backtrail.rules.contextualize import filled_in, points_at_nothing
from backtrail.state.chat.human_input import Asking, Reply, asking, reply_to, texts_of
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import total_usage

SPEND, STOP_SPENDING, PLAN = "spend", "stop spending", "plan"
"""What ``consents`` of the state may hold."""
WEB_SERVICES = ("serpapi", "serper")


def clear_question(question: str, settings: Settings) -> str:
    """The question, asked back if its pronoun stands for nothing that was said. Blocks: it tells the language."""
    pointing = points_at_nothing(question) if settings.people.question else ""
    if not pointing:
        return question
    what = f'What does "{pointing}" stand for in "{question}"? Name it, or ask the whole question anew.'
    asked = asking("question", what, {"question": question}, ["approve", "edit"])
    reply = _decided(asked)
    if reply.decision == "approve":
        return question
    text = str(reply.edited).strip()
    return filled_in(question, text[: limits().question])


def web_is_allowed(question: str, settings: Settings) -> bool:
    """Whether a service of the web may be searched for this question."""
    if not settings.people.web or settings.web.provider not in WEB_SERVICES:
        return True
    what = f'May {settings.web.provider} be searched for "{question}"? It is told what is looked for.'
    asked = asking("web", what, {"question": question}, ["approve", "reject"])
    return _decided(asked).decision == "approve"


def consulted_on_plan(state: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """What to write once a plan of several parts was approved, edited or dropped; nothing where nobody is asked."""
    planned: list[Subquery] = state.get("subqueries") or []
    open_ = [one for one in planned if one["status"] == "open"]
    if not settings.people.plan or PLAN in (state.get("consents") or []) or len(open_) < 2:
        return {}
    parts = [one["text"] for one in open_]
    asked = asking("plan", _numbered(parts), {"plan": "\n".join(parts)}, ["approve", "edit", "reject"])
    return {"consents": [PLAN], "subqueries": _replanned(planned, open_, _decided(asked), state)}


def _replanned(
    planned: list[Subquery], open_: list[Subquery], reply: Reply, state: Mapping[str, Any]
) -> list[Subquery]:
    """The open parts as they were decided; those that go are given up, and keep their place."""
    if reply.decision == "approve":
        return []
    texts: list[str] = reply.edited if reply.decision == "edit" else [str(state.get("question") or open_[0]["text"])]
    changed: list[Subquery] = [
        {**one, "text": texts[place]} if place < len(texts) else {**one, "status": "given_up"}
        for place, one in enumerate(open_)
    ]
    for number, text in enumerate(texts[len(open_) :], start=len(planned)):
        changed.append({**open_[0], "id": f"q{number}", "text": text, "depends_on": []})
    return changed


def consulted_on_spending(state: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """What to write once more spending was allowed or refused; nothing where nobody is asked."""
    people = settings.people
    consents: list[str] = state.get("consents") or []
    if SPEND in consents or STOP_SPENDING in consents:
        return {}
    spent = total_usage(state.get("usage") or {})
    over = (people.usd is not None and spent["cost_usd"] >= people.usd) or (
        people.calls is not None and spent["calls"] >= people.calls
    )
    if not over:
        return {}
    so_far = {"calls": spent["calls"], "usd": round(spent["cost_usd"], 6)}
    what = f"The run has made {so_far['calls']} model calls for ${so_far['usd']:.4f}. May it go on within its budget?"
    asked = asking("spend", what, so_far, ["approve", "reject"])
    allowed = _decided(asked).decision == "approve"
    return {"consents": [SPEND if allowed else STOP_SPENDING]}


def within_consent(state: Mapping[str, Any], settings: Settings) -> Settings:
    """The settings; where no more may be spent, with a budget that is spent, so that the run ends with its best."""
    if STOP_SPENDING not in (state.get("consents") or []):
        return settings
    spent = total_usage(state.get("usage") or {})["calls"]
    return settings.model_copy(update={"budget": settings.budget.model_copy(update={"calls": spent})})


def _decided(asked: Asking) -> Reply:
    """What people decide; a reply that decides nothing is told so, and they are asked again."""
    problem = ""
    while True:
        request = asked["action_requests"][0]
        told = f"{problem} {request['description']}".strip()
        again: Asking = {**asked, "action_requests": [{**request, "description": told}]}
        try:
            reply = reply_to(asked, interrupt(again))
            if asked["asked"] == PLAN and reply.decision == "edit":
                return Reply("edit", texts_of(reply.edited))
            return reply
        except InputRefused as error:
            problem = str(error)


def _numbered(parts: list[str]) -> str:
    return "\n".join(["The plan:", *(f"{number}. {text}" for number, text in enumerate(parts, 1))])
