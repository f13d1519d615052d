"""Measure how much of each prompt of a run is a common prefix, which a provider's cache can serve.

    python benchmarks/shared_prefix.py wild-web "A question" … [--variant published] [--model local:FOLDER]

With a local model the prompts are also sent to it, one after the other, and the computed tokens are counted. Otherwise
rules decide, as only the prompts are measured. As rules do not search further, the first replies to ours ask for
another search.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from backtrail.graphs.methods import find_method
from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.fif.fused_decisions import Advance, AdvanceInputs, NextAction
from backtrail.state.settings import Settings
from backtrail.state.variant import VARIANTS
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.local.chat import LocalChatModel, open_local_chat
from backtrail.tools.toolbox import Toolbox

HOPS = 3
"""Searches before the answer."""


class Listening:
    """Decider that records every prompt and decides by rules."""

    name = "listening"

    def __init__(self) -> None:
        self.prompts: list[tuple[str, str]] = []
        self.messages: list[list[BaseMessage]] = []
        self._rules = OfflineDecider()

    async def decide(
        self, decision: Any, inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """Decide by rules, or ask for another search."""
        rendered = render(decision.name, inputs)
        self.prompts.append((decision.name, f"{rendered.system}\n{rendered.user}"))
        self.messages.append([SystemMessage(rendered.system), HumanMessage(rendered.user)])
        decided = await self._rules.decide(decision, inputs)
        if isinstance(inputs, AdvanceInputs) and len(self.prompts) <= HOPS:
            search = NextAction(
                kind="search", subtask=f"{inputs.question} {'again ' * len(self.prompts)}", granularity="component"
            )
            relevant = [one.id for one in inputs.evidence[:3]]
            onward = Advance(success=False, relevant=relevant, action=search)
            return Decided(onward, decided.charge, self.name)
        return decided


def computed_by(model: LocalChatModel, run: Sequence[list[BaseMessage]]) -> tuple[int, int]:
    """Return the tokens of a run's prompts, and how many of them a local model computed."""
    usages = [model.invoke(messages, max_tokens=1).usage_metadata for messages in run]
    asked = sum(usage["input_tokens"] for usage in usages if usage)
    return asked, asked - sum(usage.get("input_token_details", {}).get("cache_read", 0) for usage in usages if usage)


def common(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions", nargs="+")
    parser.add_argument("--model", help="local:FOLDER or local:FILE.gguf")
    parser.add_argument("--variant", choices=VARIANTS, default="ours")
    arguments = parser.parse_args()
    listening = Listening()
    toolbox = Toolbox(open_decider=lambda model, settings: listening)
    graph = find_method("fif").build(toolbox).compile(name="fif")
    settings = Settings(
        corpus=arguments.corpus, planner="listening", reader="listening", pictures=0, variant=arguments.variant
    )
    local = open_local_chat(Path(arguments.model.partition(":")[2])) if arguments.model else None
    shared = whole = asked = computed = 0
    for question in arguments.questions:
        listening.prompts.clear()
        listening.messages.clear()
        asyncio.run(graph.ainvoke({"question": question}, context=settings))
        earlier: dict[str, str] = {}
        for name, prompt in listening.prompts:
            longest = max((common(prompt, one) for one in earlier.values()), default=0)
            if earlier:
                shared, whole = shared + longest, whole + len(prompt)
            print(f"{name}: {len(prompt)} characters, {longest} as in an earlier prompt of the run")
            earlier[f"{name}@{len(earlier)}"] = prompt
        if local is not None:
            tokens, fresh = computed_by(local, listening.messages)
            asked, computed = asked + tokens, computed + fresh
    print(f"shared after the first prompt: {100 * shared / max(whole, 1):.0f} % of the characters")
    if asked:
        print(f"computed by {arguments.model}: {computed:,} of {asked:,} tokens, {100 * computed / asked:.0f} %")


if __name__ == "__main__":
    main()
