"""What a method asks a model for, as it is here and as published: calls and prompt tokens a question.

    python benchmarks/calls.py CORPUS QUESTIONS.jsonl [--method mmapg --method hm_rag] [--questions 10]

The rules stand in for the model: every decision is rendered as its prompt and counted, then taken by its rule. They
know less than a reader (none of them says that a search has found all), so a run goes on longer than with one; what is
compared is the two variants. Tokens are characters / 4, without the reply's schema and without pictures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backtrail.graphs.methods import find_method
from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.state.variant import VARIANTS, VariantName
from backtrail.tools.deciders.protocol import Decided, PictureAttachment
from backtrail.tools.toolbox import Toolbox

CHARACTERS_PER_TOKEN = 4


class Counting:
    """A decider that is asked as a model is, and replies by the rules."""

    name = "counting"

    def __init__(self) -> None:
        self._rules = Toolbox().rules
        self.asked: Counter[str] = Counter()
        self.characters = 0

    async def decide(
        self, decision: Any, inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """One call, and what its prompt holds."""
        rendered = await asyncio.to_thread(render, decision.name, inputs)
        self.asked[decision.name] += 1
        self.characters += len(rendered.system) + len(rendered.user)
        decided = await self._rules.decide(decision, inputs)
        return Decided(decided.output, charge(calls=1), self.name)


async def measured(method: str, variant: VariantName, corpus: str, questions: list[str]) -> None:
    """Print calls and tokens a question, and the decisions that were asked for most."""
    calls: list[int] = []
    tokens: list[int] = []
    decisions: Counter[str] = Counter()
    shared = Toolbox()
    for question in questions:
        counting = Counting()
        toolbox = Toolbox(open_decider=lambda model, settings, counting=counting: counting)
        toolbox.corpus = shared.corpus  # type: ignore[method-assign]  # opened once
        roles = dict.fromkeys(("planner", "reader", "vlm", "expert"), "counting")
        settings = Settings(corpus=corpus, variant=variant, **roles)
        await find_method(method).build(toolbox).compile().ainvoke({"question": question}, context=settings)
        calls.append(counting.asked.total())
        tokens.append(counting.characters // CHARACTERS_PER_TOKEN)
        decisions += counting.asked
    most = ", ".join(f"{name} {count / len(questions):.1f}" for name, count in decisions.most_common(4))
    print(
        f"{method:12} {variant:10} {statistics.mean(calls):6.1f} calls {statistics.mean(tokens):8.0f} tokens   {most}",
        flush=True,
    )


def main() -> None:
    """Measure the methods that were named, each in both variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--method", action="append", help="mmapg and hm_rag, unless others are named")
    parser.add_argument("--questions", dest="count", type=int, default=10)
    options = parser.parse_args()
    texts = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()[: options.count]]
    for method in options.method or ["mmapg", "hm_rag"]:
        for variant in VARIANTS:
            asyncio.run(measured(method, variant, options.corpus, texts))


if __name__ == "__main__":
    main()
