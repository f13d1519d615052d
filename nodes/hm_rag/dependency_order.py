"""Order of sub-questions by dependency: independent ones first, then those that need answers (ours)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.state.hm_rag.memory import AgentReply, BridgeTask, HmRagState
from backtrail.state.subquery import Subquery

LONGEST_ANSWER = 120
_REFERENCE = re.compile(r"\{(\d{1,2})\}")


def references(text: str) -> list[int]:
    """Return the 0-based indexes of the parts that a text refers to as {1}, {2}, …"""
    return [int(number) - 1 for number in _REFERENCE.findall(text)]


def ready(subqueries: Sequence[Subquery], replies: Sequence[AgentReply]) -> list[tuple[int, Subquery]]:
    """Return unsearched parts without open dependencies, with their numbers."""
    searched = {reply["subquery"] for reply in replies}
    open_ones = {one["id"] for one in subqueries if one["status"] == "open"}
    return [
        (number, one)
        for number, one in enumerate(subqueries)
        if one["id"] not in searched and not open_ones.intersection(one["depends_on"])
    ]


def unsearched(subqueries: Sequence[Subquery], replies: Sequence[AgentReply]) -> list[Subquery]:
    """Return the parts that were not searched yet."""
    searched = {reply["subquery"] for reply in replies}
    return [one for one in subqueries if one["id"] not in searched]


def filled(part: Subquery, subqueries: Sequence[Subquery]) -> str:
    """Put the answers that a part depends on into its text; missing ones are described."""
    by_place = dict(enumerate(subqueries))
    named: set[str] = set()

    def answer(match: re.Match[str]) -> str:
        earlier = by_place.get(int(match[1]) - 1)
        if earlier is None:
            return match[0]
        named.add(earlier["id"])
        return _answer(earlier) or f"(the answer to: {_plain(earlier)})"

    text = _REFERENCE.sub(answer, part["text"])
    beside = [one for one in subqueries if one["id"] in part["depends_on"] and one["id"] not in named and _answer(one)]
    return " ".join([text, *(f"({_plain(one)} {_answer(one)})" for one in beside)])


def _answer(part: Subquery) -> str:
    return part["answer"] if part["status"] == "answered" and len(part["answer"]) <= LONGEST_ANSWER else ""


def _plain(part: Subquery) -> str:
    return _REFERENCE.sub("…", part["text"])


def bridge_tasks(state: HmRagState) -> list[BridgeTask]:
    """Return tasks for searched parts that others depend on, with the results of all sources."""
    subqueries, replies = state.get("subqueries", []), state.get("replies", [])
    waited_for = {key for one in unsearched(subqueries, replies) for key in one["depends_on"]}
    found = {one["id"]: [reply for reply in replies if reply["subquery"] == one["id"]] for one in subqueries}
    return [
        {
            "part": one, "number": number, "replies": found[one["id"]], "image": state.get("image"),
            "spent": state.get("usage", {}),
        }
        for number, one in enumerate(subqueries)
        if one["id"] in waited_for and one["status"] == "open" and found[one["id"]]
    ]  # fmt: skip
