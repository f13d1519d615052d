"""What ``take`` makes of a decision that the budget ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.nodes.deciding import Taken, take
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decompose_decisions import DECOMPOSE, DecomposeInputs
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import Charge, charge
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.deciders.protocol import BudgetExhausted, Decided
from backtrail.tools.toolbox import Toolbox

SPENT = charge(calls=2, input_tokens=70, output_tokens=9, cost_usd=0.2)


class Stopped:
    """A decider that the budget stops after two calls."""

    name = "stopped"

    def __init__(self) -> None:
        self.allowance: Allowance | None = None

    async def decide(
        self, decision: Any, inputs: Any, pictures: Any = (), *, allowance: Allowance = UNBOUNDED
    ) -> Decided[Any]:
        self.allowance = allowance
        raise BudgetExhausted(self.name, "usd", "$0.01 are left", SPENT)


async def ask(rules: Mapping[str, Any] | None = None) -> tuple[Taken[Any], Stopped]:
    stopped = Stopped()
    toolbox = Toolbox(open_decider=lambda model, settings: stopped)
    if rules is not None:
        toolbox.rules = OfflineDecider(rules)
    settings = Settings(planner="openai:x", budget=Budget(usd=0.5, calls=9))
    earlier: dict[str, Charge] = {"contextualize@0": charge(calls=1, cost_usd=0.25)}
    inputs = DecomposeInputs(question="Who designed the bridge?")
    return await take(toolbox, settings, DECOMPOSE, inputs, node="decompose", step=0, spent=earlier), stopped


async def test_the_rules_decide_and_the_charge_names_the_ceiling() -> None:
    taken, stopped = await ask()
    assert stopped.allowance == Allowance(calls=8, usd=0.25)  # it is told what is left
    assert [subquery.text for subquery in taken.output.subqueries] == ["Who designed the bridge?"]
    assert taken.usage == {"decompose@0": {**SPENT, "refused": {"usd": 0.5}}}
    said = "stopped was stopped by the budget: $0.01 are left. Raise budget.usd to let it go on."
    failure = {"id": "decompose@0", "node": "decompose", "step": 0, "error": "BudgetExhausted", "message": said}
    assert taken.failures == [failure]


async def test_without_a_rule_there_is_no_output_and_the_failure_says_both() -> None:
    taken, _ = await ask(rules={})
    assert taken.output is None
    assert taken.usage == {"decompose@0": {**SPENT, "refused": {"usd": 0.5}}}
    [failure] = taken.failures
    assert "Raise budget.usd" in failure["message"]
    assert "no offline rule" in failure["message"]
