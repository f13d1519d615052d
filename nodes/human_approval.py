"""Human approval during a run, if the settings ask for it (human in the loop).

A node that asks is rerun from its start after the reply, so it asks before anything that costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.types import interrupt

from backtrail.rules.contextualize import filled_in, points_at_nothing
from backtrail.state.chat.human_input import ApprovalRequest, Reply, approval_request, reply_to, texts_of
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery
from backtrail.state.usage import total_usage

SPEND, STOP_SPENDING, PLAN = "spend", "stop spending", "plan"
"""Values of ``approvals`` in the state."""
WEB_SERVICES = ("serpapi", "serper")


def clear_question(question: str, settings: Settings) -> str:
    """Return the question; a person is asked for a pronoun's referent. Blocks: detects the language."""
    pointing = points_at_nothing(question) if settings.human.question else ""
    if not pointing:
        return question
    what = f'What does "{pointing}" stand for in "{question}"? Name it, or ask the whole question anew.'
    request = approval_request("question", what, {"question": question}, ["approve", "edit"])
    reply = _decided(request)
    if reply.decision == "approve":
        return question
    text = str(reply.edited).strip()
    return filled_in(question, text[: limits().question])


def web_is_allowed(question: str, settings: Settings) -> bool:
    """Return whether a web service may be searched for this question."""
    if not settings.human.web or settings.web.provider not in WEB_SERVICES:
        return True
    what = f'May {settings.web.provider} be searched for "{question}"? The query is sent to that service.'
    request = approval_request("web", what, {"question": question}, ["approve", "reject"])
    return _decided(request).decision == "approve"


def ask_about_plan(state: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the writes of a decided plan of several parts; empty if nobody is asked."""
    planned: list[Subquery] = state.get("subqueries") or []
    open_ = [one for one in planned if one["status"] == "open"]
    if not settings.human.plan or PLAN in (state.get("approvals") or []) or len(open_) < 2:
        return {}
    parts = [one["text"] for one in open_]
    request = approval_request("plan", _numbered(parts), {"plan": "\n".join(parts)}, ["approve", "edit", "reject"])
    return {"approvals": [PLAN], "subqueries": _replanned(planned, open_, _decided(request), state)}


def _replanned(
    planned: list[Subquery], open_: list[Subquery], reply: Reply, state: Mapping[str, Any]
) -> list[Subquery]:
    """Return the changed parts; dropped ones are given up, and keep their place."""
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


def ask_about_spending(state: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the writes of allowed or refused spending; empty if nobody is asked."""
    limits = settings.human
    approvals: list[str] = state.get("approvals") or []
    if SPEND in approvals or STOP_SPENDING in approvals:
        return {}
    spent = total_usage(state.get("usage") or {})
    over = (limits.usd is not None and spent["cost_usd"] >= limits.usd) or (
        limits.calls is not None and spent["calls"] >= limits.calls
    )
    if not over:
        return {}
    so_far = {"calls": spent["calls"], "usd": round(spent["cost_usd"], 6)}
    what = f"The run has made {so_far['calls']} model calls for ${so_far['usd']:.4f}. May it go on within its budget?"
    request = approval_request("spend", what, so_far, ["approve", "reject"])
    allowed = _decided(request).decision == "approve"
    return {"approvals": [SPEND if allowed else STOP_SPENDING]}


def within_approval(state: Mapping[str, Any], settings: Settings) -> Settings:
    """Return the settings; if spending was refused, with an exhausted budget, so that the run ends."""
    if STOP_SPENDING not in (state.get("approvals") or []):
        return settings
    spent = total_usage(state.get("usage") or {})["calls"]
    return settings.model_copy(update={"budget": settings.budget.model_copy(update={"calls": spent})})


def _decided(asked: ApprovalRequest) -> Reply:
    """Return a person's decision; an unusable reply is explained, and asked for again."""
    problem = ""
    while True:
        request = asked["action_requests"][0]
        description = f"{problem} {request['description']}".strip()
        again: ApprovalRequest = {**asked, "action_requests": [{**request, "description": description}]}
        try:
            reply = reply_to(asked, interrupt(again))
            if asked["topic"] == PLAN and reply.decision == "edit":
                return Reply("edit", texts_of(reply.edited))
            return reply
        except InputRefused as error:
            problem = str(error)


def _numbered(parts: list[str]) -> str:
    return "\n".join(["The plan:", *(f"{number}. {text}" for number, text in enumerate(parts, 1))])
