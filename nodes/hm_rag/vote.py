"""vote: compare every pair of answers; the largest group that agrees wins (HM-RAG 3.4).

In a multiple-choice question options are compared, and texts only where an answer chose none.
"""

from __future__ import annotations

from itertools import combinations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.options import meant, shown
from backtrail.language.similarity import rouge_l, similarity, symmetric_bleu, tokens
from backtrail.nodes.hm_rag.skip_calls import saves_calls
from backtrail.nodes.node import SyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.hm_rag.memory import Option, Pair, Position, Verdict, Vote
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import Settings

NOBODY = "No source has an answer."


class VoteSlice(TypedDict):
    """The positions of all sources."""

    options: list[Option]
    positions: list[Position]


class VoteWrites(TypedDict, total=False):
    """The vote, and the verdict if it is complete. Without a vote positions have to be summarised."""

    vote: Vote | None
    verdict: Verdict | None
    positions: list[Position]


def vote() -> SyncNode[VoteSlice, VoteWrites]:
    """Node: compare the answers. Without the decision agent (ablation) there is no vote."""

    def count_votes(state: VoteSlice, runtime: Runtime[Settings]) -> VoteWrites:
        whole = settings_of(runtime)
        settings, variant = whole.hm_rag, HM_RAG.of(whole.variant)
        options = state["options"]
        answered = [one for one in state["positions"] if one["status"] == "answered"]
        excluded = {one["source"]: one["reason"] for one in state["positions"] if one["status"] != "answered"}
        if not settings.decision_agent:
            return _not_held(answered, excluded, options)
        pairs = [_pair(one, other, options, settings) for one, other in combinations(answered, 2)]
        winners = winning_group(answered, pairs)
        result: Vote = {
            "pairs": pairs,
            "winners": [one["source"] for one in winners],
            "excluded": excluded,
            "outcome": "agreed",
            "reason": "",
        }
        if not answered:
            result.update(outcome="nobody", reason=NOBODY)
            return {"vote": result, "verdict": None}
        if len(answered) == 1:
            result.update(winners=[answered[0]["source"]], outcome="alone", reason="Only one source has an answer.")
            return {"vote": result, "verdict": verdict_of(answered, options, "vote")}
        if not winners and (long := _unsummarised(answered, options, whole)):
            return {"vote": None, "verdict": None, "positions": long}
        if not winners:
            result.update(outcome="disagreed", reason=_why_not(pairs, settings))
            return {"vote": result, "verdict": None}
        result["reason"] = _why(winners, pairs, options)
        if variant.contest and settings.contest and (better := better_supported(answered, winners)):
            result.update(outcome="contested", reason=f"{result['reason']} {_contest(better)}")
            return {"vote": result, "verdict": None}
        settled = _needs_no_merging(winners, options)
        return {"vote": result, "verdict": verdict_of(winners, options, "vote") if settled else None}

    return count_votes


def _unsummarised(answered: list[Position], options: list[Option], settings: Settings) -> list[Position]:
    """Return differing long answers without a summary, to be summarised before another vote."""
    if not saves_calls(settings):
        return []
    return [
        {**one, "todo": ["summarise"]} for one in answered if not one["summary"] and option_of(one, options) is None
    ]


def _not_held(answered: list[Position], excluded: dict[str, str], options: list[Option]) -> VoteWrites:
    result: Vote = {
        "pairs": [], "winners": [one["source"] for one in answered[:1]], "excluded": excluded, "outcome": "not held",
        "reason": "Without decision agent the first source with an answer is taken." if answered else NOBODY,
    }  # fmt: skip
    nothing: Verdict = {
        "by": "nobody", "text": NOBODY, "option": None, "citations": [], "confidence": 0.0, "abstained": True,
    }  # fmt: skip
    return {"vote": result, "verdict": verdict_of(answered[:1], options, "first source") if answered else nothing}


def _pair(first: Position, second: Position, options: list[Option], settings: HmRagSettings) -> Pair:
    one, other = _compared(first), _compared(second)
    near = similarity(one, other, settings.rouge_weight, settings.bleu_weight)
    chosen = (option_of(first, options), option_of(second, options))
    same = None if None in chosen else chosen[0] == chosen[1]
    return {
        "sources": [first["source"], second["source"]],
        "rouge_l": round(rouge_l(one, other), 4),
        "bleu": round(symmetric_bleu(one, other), 4),
        "similarity": round(near, 4),
        "same_option": same,
        "agree": near >= settings.threshold if same is None else same,
    }


def _compared(position: Position) -> str:
    """Return the summary, else the short answer, else the answer itself."""
    return position["summary"] or position.get("short", "") or position["text"]


def option_of(position: Position, options: list[Option]) -> str | None:
    """Return the option that a source chose, or that its text plainly means."""
    return position["option"] or meant(position["text"], [(option["label"], option["text"]) for option in options])


def winning_group(answered: list[Position], pairs: list[Pair]) -> list[Position]:
    """Return the largest group in which every pair agrees; empty if there is none, or two disjoint ones.

    Of overlapping groups of one size the one with most similarity within wins, then the better supported.
    """
    agreeing = {frozenset(pair["sources"]): pair["similarity"] for pair in pairs if pair["agree"]}
    for size in range(len(answered), 1, -1):
        groups = [
            group
            for group in combinations(answered, size)
            if all(frozenset((a["source"], b["source"])) in agreeing for a, b in combinations(group, 2))
        ]
        if groups:
            names = [{one["source"] for one in group} for group in groups]
            if any(a.isdisjoint(b) for a, b in combinations(names, 2)):
                return []
            return list(
                max(groups, key=lambda group: (_nearness(group, agreeing), sum(p["confidence"] for p in group)))
            )
    return []


def better_supported(answered: list[Position], winners: list[Position]) -> Position | None:
    """Return the best answer outside the group, if it is better supported than all inside (ours).

    Two sources that share a weakness agree on the same mistake; agreement alone does not replace evidence.
    """
    inside = max(one["confidence"] for one in winners)
    outside = [one for one in answered if one not in winners and one["confidence"] > inside]
    return max(outside, key=lambda one: one["confidence"], default=None)


def _contest(better: Position) -> str:
    return f"{better['source']} contradicts them with a confidence of {better['confidence']:.2f}, higher than theirs."


def _nearness(group: tuple[Position, ...], agreeing: dict[frozenset[str], float]) -> float:
    return sum(agreeing[frozenset((a["source"], b["source"]))] for a, b in combinations(group, 2))


def verdict_of(winners: list[Position], options: list[Option], by: str) -> Verdict:
    """Return the best supported of the winners' answers, with the citations of all; of equals the first."""
    best = max(winners, key=lambda one: one["confidence"])
    label = option_of(best, options)
    cited = [citation for one in [best, *(w for w in winners if w is not best)] for citation in one["citations"]]
    return {
        "by": "first source" if by == "first source" else "vote",
        "short": best.get("short", ""),
        "text": with_option(best["text"], label, options),
        "option": label,
        "citations": [one for place, one in enumerate(cited) if one not in cited[:place]],
        "confidence": best["confidence"],
        "abstained": False,
    }


def with_option(text: str, label: str | None, options: list[Option]) -> str:
    """Start an answer with its option, as in "(B) hide"."""
    chosen = next((option for option in options if option["label"] == label), None)
    if chosen is None:
        return text
    named = shown(chosen["label"], chosen["text"])
    if text.startswith(named):
        return text
    bare = tokens(text)
    return named if bare in (tokens(chosen["text"]), tokens(named), tokens(chosen["label"])) else f"{named}. {text}"


def _needs_no_merging(winners: list[Position], options: list[Option]) -> bool:
    """Return whether the winners agree fully: one option, the same words, or the same short answer."""
    if options and all(option_of(one, options) for one in winners):
        return True
    return any(len({tuple(tokens(form(one))) for one in winners}) == 1 for form in (_text, _short))


def _text(position: Position) -> str:
    return position["text"]


def _short(position: Position) -> str:
    """Return the short answer; without one, a text that equals no other."""
    return position.get("short", "") or f"{position['source']}: {position['text']}"


def _why(winners: list[Position], pairs: list[Pair], options: list[Option]) -> str:
    names = [one["source"] for one in winners]
    chosen = option_of(winners[0], options) if options else None
    if chosen:
        return f"{_and(names)} chose ({chosen})."
    lowest = min(pair["similarity"] for pair in pairs if set(pair["sources"]) <= set(names))
    return f"{_and(names)} agree; similarity at least {lowest:.2f}."


def _why_not(pairs: list[Pair], settings: HmRagSettings) -> str:
    if any(pair["agree"] for pair in pairs):
        return "Two groups of the same size contradict each other."
    if all(pair["same_option"] is False for pair in pairs):
        return "Every source chose another option."
    nearest = max(pairs, key=lambda pair: pair["similarity"])
    return (
        f"No two answers agree; the nearest are those of {_and(nearest['sources'])} with a similarity of "
        f"{nearest['similarity']:.2f}, below {settings.threshold:g}."
    )


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
