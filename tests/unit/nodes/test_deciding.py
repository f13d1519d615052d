"""What ``take`` makes of a decision that the budget ends."""

from typing import Any

from backtrail.nodes.take_decision import take
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


async def test_without_a_rule_there_is_no_output_and_the_failure_says_both() -> None:
    stopped = Stopped()
    toolbox = Toolbox(open_decider=lambda model, settings: stopped)
    toolbox.rules = OfflineDecider({})
    settings = Settings(planner="openai:x", budget=Budget(usd=0.5, calls=9))
    earlier: dict[str, Charge] = {"contextualize@0": charge(calls=1, cost_usd=0.25)}
    inputs = DecomposeInputs(question="Who designed the bridge?")
    taken = await take(toolbox, settings, DECOMPOSE, inputs, node="decompose", step=0, spent=earlier)
    assert stopped.allowance == Allowance(calls=8, usd=0.25)  # it is told what is left
    assert taken.output is None
    assert taken.usage == {"decompose@0": {**SPENT, "refused": {"usd": 0.5}}}
    [failure] = taken.failures
    assert "Raise budget.usd" in failure["message"]
    assert "no offline rule" in failure["message"]
