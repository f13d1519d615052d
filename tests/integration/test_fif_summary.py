"""FiF summarises documents part by part: each part once, what is said with its sources, what was not read by name."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_summary import (
    PARTS,
    QUESTION,
    SETTINGS,
    first_and_last,
    make_corpus,
    run_in_process,
    summarises,
    summary_toolbox,
)
from fixtures.state_after import state_after

from backtrail.graphs.fif import build
from backtrail.rules.summarise import AS_READ
from backtrail.state.budget import Budget
from backtrail.state.chat.answer_payload import payload_of
from backtrail.state.fif.settings import FifSettings
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed

ABSTAINS = {"text": "Not stated.", "citations": [], "supported": False, "confidence": 0.0}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("probes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_corpus(folder)
    return folder / "home"


@pytest.fixture(autouse=True)
def probes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))


async def ask(script: dict[str, Any] | None = None, **changes: Any) -> tuple[dict[str, Any], list[str]]:
    toolbox, decider = summary_toolbox(script)
    values = await state_after(build(toolbox), {"question": QUESTION}, SETTINGS.model_copy(update=changes))
    return values, [one.decision for one in decider.history]


async def test_every_part_is_read_and_the_summary_cites_what_its_points_cite() -> None:
    values, asked = await ask()
    assert asked == ["fif_advance", *["summarise_part"] * PARTS, "merge_points"]
    answer = values["answer"]
    cited = [one["component"] for one in answer["citations"]]
    assert cited == ["probe-00#0", "probe-08#0", "probe-16#0", "probe-07#0", "probe-15#0", "probe-19#0"]
    assert answer["sections"] == [
        {"heading": "First", "text": "These began.", "citations": [1, 2, 3]},
        {"heading": "Last", "text": "These *ended*.", "citations": [4, 5, 6, 1]},
    ]
    [counted] = answer["coverage"]
    what = "parts of “probe-*”"
    assert counted == {"what": what, "read": 3, "total": 3, "unreadable": 0, "left_out": 0, "names": []}
    assert answer["complete"] == {"value": "yes", "reason": f"3 of 3 {what} read."}
    hop = values["hops"][1]
    assert (hop["kind"], hop["outcome"], hop["reason"]) == ("summarise", "success", f"3 of 3 {what} read.")
    assert values["stop_reason"] == "answered"
    assert set(cited) <= set(values["evidence"])
    payload = payload_of(values["messages"][-1])
    assert payload is not None
    assert payload.get("sections") == answer["sections"]


async def test_parts_beyond_the_budget_are_named_and_the_summary_is_not_complete() -> None:
    values, asked = await ask(budget=Budget(calls=3))
    assert asked == ["fif_advance", "summarise_part", "merge_points"]
    reason = "1 of 3 parts of “probe-*” read, 2 left out (2 (About probe-08 to About probe-15), 3 (About probe-16 to"
    assert values["answer"]["complete"]["value"] == "no"
    assert values["answer"]["complete"]["reason"].startswith(reason)


async def test_a_part_without_a_valid_reply_is_a_failure_and_named() -> None:
    def second_fails(inputs: Any) -> Any:
        refused = DecisionFailed("summarise_part", "scripted", "no reply", charge(calls=1))
        return refused if inputs.part == 2 else first_and_last(inputs)

    values, _ = await ask({"summarise_part": second_fails})
    assert [one["id"] for one in values["failures"]] == ["read_part@1.2"]
    assert values["answer"]["coverage"][0]["unreadable"] == 1
    assert values["answer"]["complete"]["value"] == "no"
    assert len(values["answer"]["citations"]) == 4


async def test_points_that_cannot_be_merged_are_the_answer_as_they_are() -> None:
    values, _ = await ask({"merge_points": [DecisionFailed("merge_points", "scripted", "no reply", charge(calls=1))]})
    answer = values["answer"]
    assert answer["text"] == AS_READ
    assert [one["text"] for one in answer["items"]][:2] == ["probe-00#0 flew.", "probe-07#0 flew."]
    assert [one["citations"] for one in answer["items"]] == [[number] for number in range(1, 7)]
    assert values["failures"][0]["node"] == "merge_points"


@pytest.mark.parametrize(
    ("target", "script", "reason"),
    [
        ("nowhere/*", {}, "No document has an id or title 'nowhere/*'."),
        ("probe-*", {"summarise_part": lambda inputs: {}}, "No part that was read says anything on the question."),
    ],
)
async def test_a_summary_of_nothing_is_a_failed_step_that_the_next_decision_sees(
    target: str, script: Any, reason: str
) -> None:
    def judge(inputs: Any) -> dict[str, Any]:
        if inputs.hop.kind == "opening":
            return summarises(target)
        said = f"{inputs.hop.kind} {inputs.hop.outcome}: {inputs.hop.reason}"
        return {"success": False, "answer": {**ABSTAINS, "text": said}, "why": "nothing"}

    values, _ = await ask({"fif_advance": judge, **script})
    assert values["answer"]["text"].startswith(f"summarise failure: {reason}")
    assert "coverage" not in values["answer"]


async def test_nothing_is_summarised_where_it_is_switched_off() -> None:
    values, asked = await ask({"answer": [ABSTAINS]}, fif=FifSettings(opening=1, summarise=False))
    assert "The action 'summarise' is not possible here" in values["failures"][0]["message"]
    assert "summarise_part" not in asked


def test_a_run_killed_in_the_middle_of_the_parts_reads_none_of_them_again(home: Path, tmp_path: Path) -> None:
    undisturbed = KilledRun(run_in_process, home, tmp_path / "undisturbed")
    killed = KilledRun(run_in_process, home, tmp_path / "killed")
    for run in (undisturbed, killed):
        run.log.parent.mkdir()
    assert undisturbed.run() == 0
    assert killed.run(die_after=2) == -9
    assert killed.calls().count("summarise_part") == PARTS - 1
    assert killed.run() == 0
    assert killed.values == undisturbed.values
    assert sorted(killed.calls()) == sorted(undisturbed.calls())
