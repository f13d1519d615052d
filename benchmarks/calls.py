"""Count the model calls and prompt tokens per question of a method, in both variants.

    python benchmarks/calls.py CORPUS QUESTIONS.jsonl [--method mmapg --method hm_rag] [--questions 10]

Rules replace the model: every decision is rendered as its prompt and counted, then taken by its rule. Runs are longer
than with a model, as no rule decides that a search has found everything; only the two variants are comparable. Tokens
are characters / 4, without the reply's schema and without pictures.
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
    """Decider that counts prompts like a model's, and replies by the rules."""

    name = "counting"

    def __init__(self) -> None:
        self._rules = Toolbox().rules
        self.asked: Counter[str] = Counter()
        self.characters = 0

    async def decide(
        self, decision: Any, inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """Count one call and the characters of its prompt."""
        rendered = await asyncio.to_thread(render, decision.name, inputs)
        self.asked[decision.name] += 1
        self.characters += len(rendered.system) + len(rendered.user)
        decided = await self._rules.decide(decision, inputs)
        return Decided(decided.output, charge(calls=1), self.name)


async def measured(method: str, variant: VariantName, corpus: str, questions: list[str]) -> None:
    """Print calls and tokens per question, and the most frequent decisions."""
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
    """Measure the named methods, each in both variants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--method", action="append", help="method to measure, repeatable (default mmapg, hm_rag)")
    parser.add_argument("--questions", dest="count", type=int, default=10)
    options = parser.parse_args()
    texts = [json.loads(line)["question"] for line in options.questions.read_text().splitlines()[: options.count]]
    for method in options.method or ["mmapg", "hm_rag"]:
        for variant in VARIANTS:
            asyncio.run(measured(method, variant, options.corpus, texts))


if __name__ == "__main__":
    main()
