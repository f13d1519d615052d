"""List of runs with search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response

from backtrail.cli.show.trace_record import Conversation, list_conversations
from backtrail.server.ui.pages import Handler, number_in, page, visitor_of

LISTED = 500
"""Number of latest conversations that are searched (ours)."""

ON_A_PAGE = 40


async def runs(request: Request) -> Response:
    """List runs, newest first; a search keeps conversations that contain all its words."""
    wanted = request.query_params
    q, method, state = (wanted.get(name, "")[:200] for name in ("q", "method", "state"))
    number = number_in(wanted.get("page", ""))
    conversations = await list_conversations(LISTED, visitor_of(request))
    found = [one for one in conversations if _fits(one, q, method, state)]
    shown = found[(number - 1) * ON_A_PAGE : number * ON_A_PAGE]
    return await page(
        request, "runs.html",
        conversations=shown, q=q, method=method, state=state, number=number, found=len(found), of=len(conversations),
        methods=sorted({one["line"]["method"] for one in conversations}), more=len(found) > number * ON_A_PAGE,
        spent=_spent(found),
    )  # fmt: skip


def _fits(one: Conversation, q: str, method: str, state: str) -> bool:
    line = one["line"]
    text = " ".join([*one["texts"], line["thread_id"]]).casefold()
    return (
        all(word in text for word in q.casefold().split())
        and method in ("", line["method"])
        and (not state or line["finished"] == (state == "done"))
    )


def _spent(found: Sequence[Conversation]) -> dict[str, float]:
    lines = [one["line"] for one in found]
    return {"calls": sum(line["calls"] for line in lines), "usd": sum(line["cost_usd"] for line in lines)}


HANDLERS: Mapping[tuple[str, str], Handler] = {("GET", "/ui/runs"): runs}
