"""Ask a local checkpoint for every text decision: validity of the replies, tokens and seconds.

    python benchmarks/local_decisions.py CORPUS "A question" --model local:FILE.gguf --kept FILE.jsonl [--most 40]

Every method runs by rules on the question, in both variants; the model gets the first prompt of each kind of decision.
Results are stored in FILE, so that a stopped run can resume; the table shows all of them. Known errors are shown by
their type; any other error ends the run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backtrail.graphs.methods import METHODS, find_method
from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.settings import Settings
from backtrail.state.variant import VARIANTS
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decided, Decider, DecisionFailed, PictureAttachment
from backtrail.tools.errors import BacktrailError
from backtrail.tools.toolbox import Toolbox

ROLES = dict.fromkeys(("planner", "reader", "vlm", "expert"), "listening")


class Listening:
    """Decider that records the first inputs of each decision and decides by rules."""

    name = "listening"

    def __init__(self) -> None:
        self.heard: dict[str, tuple[Decision[Any, Any], Any]] = {}
        self._rules = Toolbox().rules

    async def decide(
        self, decision: Any, inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """Record the inputs and decide by rules."""
        if not pictures:
            self.heard.setdefault(decision.name, (decision, inputs))
        return await self._rules.decide(decision, inputs)


async def heard(corpus: str, question: str) -> dict[str, tuple[Decision[Any, Any], Any]]:
    """Return the decisions of all methods with their inputs, the shortest prompt first."""
    listening = Listening()
    for method in METHODS:
        for variant in VARIANTS:
            toolbox = Toolbox(open_decider=lambda model, settings: listening)
            settings = Settings(corpus=corpus, variant=variant, pictures=0, **ROLES)
            await find_method(method).build(toolbox).compile().ainvoke({"question": question}, context=settings)
    sizes = {name: len(render(name, inputs).user) for name, (_, inputs) in listening.heard.items()}
    return {name: listening.heard[name] for name in sorted(sizes, key=lambda one: sizes[one])}


async def asked(decider: Decider, decision: Decision[Any, Any], inputs: Any, tokens: int) -> dict[str, Any]:
    """Ask the model for one decision, with at most so many output tokens, and return the result."""
    begun = time.monotonic()
    try:
        decided = await decider.decide(decision, inputs, allowance=Allowance(output_tokens=tokens))
        charge, came = decided.charge, "valid"
    except DecisionFailed as error:
        charge, came = error.charge, f"DecisionFailed: {error.problem[:160]}"
    except BacktrailError as error:
        charge, came = getattr(error, "charge", None) or {}, f"{type(error).__name__}: {str(error)[:160]}"
    usage = {part: charge.get(part, 0) for part in ("calls", "input_tokens", "cached_tokens", "output_tokens")}
    return {"decision": decision.name, "came": came, "seconds": round(time.monotonic() - begun, 1), **usage}


async def asked_together(
    model: str, decisions: Sequence[tuple[Decision[Any, Any], Any]], tokens: int, kept: Path
) -> None:
    """Ask for several decisions in parallel, and store each result at once."""
    decider = open_decider(model, temperature=0.0)
    for done in asyncio.as_completed([asked(decider, decision, inputs, tokens) for decision, inputs in decisions]):
        line = await done
        with kept.open("a") as file:
            file.write(json.dumps(line) + "\n")


def kept_lines(kept: Path) -> list[dict[str, Any]]:
    """Return the stored results."""
    return [json.loads(line) for line in kept.read_text().splitlines()] if kept.is_file() else []


def main() -> None:
    """Ask for the missing decisions, and print all results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("question")
    parser.add_argument("--model", required=True)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--most", type=int, default=100, help="maximum number of decisions in this run")
    parser.add_argument("--together", type=int, default=4, help="parallel decisions")
    parser.add_argument("--tokens", type=int, default=4096, help="maximum output tokens per decision")
    options = parser.parse_args()
    lines = kept_lines(options.kept)
    decisions = asyncio.run(heard(options.corpus, options.question))
    waiting = [name for name in decisions if name not in {line["decision"] for line in lines}]
    waiting = waiting[: options.most]
    for start in range(0, len(waiting), options.together):
        next_ones = [decisions[name] for name in waiting[start : start + options.together]]
        asyncio.run(asked_together(options.model, next_ones, options.tokens, options.kept))
    lines = kept_lines(options.kept)
    print(
        "| decision | result | calls | input tokens | cached | output tokens | seconds |\n|---|---|--:|--:|--:|--:|--:|"
    )
    for line in lines:
        print(
            f"| `{line['decision']}` | {line['came']} | {line['calls']} | {line['input_tokens']:,} "
            f"| {line['cached_tokens']:,} | {line['output_tokens']:,} | {line['seconds']} |"
        )
    valid = sum(line["came"] == "valid" for line in lines)
    print(f"\n{valid} of {len(lines)} valid; {len(decisions)} kinds of decisions were recorded")


if __name__ == "__main__":
    main()
