"""FiF gathers what no ranking selects: the step is recorded and judged, and the answer says whether it is complete."""

from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_fif import scripted_toolbox
from fixtures.scripted_gathering import PHRASE, QUESTION, SETTINGS, gather_and_answer, gathers
from fixtures.state_after import state_after
from fixtures.tiny_corpora import write_bundle

from backtrail.graphs.fif import build
from backtrail.ingest.pipeline import ingest
from backtrail.state.chat.answer_payload import payload_of
from backtrail.state.fif.settings import FifSettings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox

pytestmark = pytest.mark.usefixtures("in_tiny_home")

ABSTAINS = {"text": "Not stated.", "citations": [], "supported": False, "confidence": 0.0}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Twelve pages with one long sentence each, more than one step reads."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {f"page-{n}": [f"The probe number {n} carried {'many instruments and ' * 45}a flag."] for n in range(12)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([write_bundle(folder / "bundle", texts)], "pages", embedder="hashed", opened=HashedEmbedder())
        yield open_corpus("pages", embedder=HashedEmbedder())


async def ask(
    judge: Any, question: str = QUESTION, settings: Any = SETTINGS, corpus: Any = None
) -> tuple[dict[str, Any], list[Any]]:
    toolbox, decider = scripted_toolbox(script={"fif_advance": judge})
    if corpus is not None:
        toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: decider)
    values = await state_after(build(toolbox), {"question": question}, settings)
    return values, [one.inputs for one in decider.history]


async def test_an_answer_from_all_places_with_a_phrase_is_complete() -> None:
    values, (opening, after) = await ask(gather_and_answer)
    assert (opening.may_gather, after.hop.kind, after.hop.outcome) == (True, "gather", "success")
    step = values["hops"][1]
    assert step["reason"] == "2 of 2 places with “was launched” in 2 documents."
    assert [one["component"] for one in step["gathering"]["pieces"]] == ["voyager#0", "cassini#0"]
    assert {"voyager#0", "cassini#0"} <= set(values["evidence"])
    shown = {one.id: one.shown for one in after.evidence}
    assert (shown["voyager#0"], shown["cassini#0"]) == ([0], [0])
    [counted] = values["answer"]["coverage"]
    assert counted == {"what": f"places with “{PHRASE}”", "read": 2, "total": 2, "unreadable": 0, "left_out": 0}
    complete = {"value": "yes", "reason": "2 of 2 places with “was launched” read."}
    payload = payload_of(values["messages"][-1])
    assert payload is not None
    assert values["answer"]["complete"] == payload.get("complete") == complete
    assert payload.get("coverage") == [counted]
    assert "*Complete: yes. 2 of 2 places with “was launched” read.*" in values["messages"][-1].text
    assert [one["component"] for one in values["answer"]["citations"]] == ["voyager#0", "cassini#0"]


async def test_without_a_count_completeness_is_unknown_where_the_decision_says_all_is_asked_for() -> None:
    cited = [{"component": "cassini#0", "sentence": 0}]
    reading = {"short": "1997", "text": "1997", "citations": cited, "supported": True, "confidence": 0.9}
    decided = {"success": True, "answer": reading, "why": "stated"}
    values, _ = await ask([{**decided, "exhaustive": True}])
    assert values["answer"]["complete"] == {"value": "unknown", "reason": "No step counted what there is."}
    assert not values["answer"].get("coverage")
    assert "*Complete: unknown. No step counted what there is.*" in values["messages"][-1].text
    values, _ = await ask([decided])
    assert "complete" not in values["answer"]


async def test_what_is_left_out_makes_an_answer_incomplete_until_it_is_read(pages: Any) -> None:
    cited = [{"component": "page-0#0", "sentence": 0}]
    reading = {"short": "12", "text": "12", "citations": cited, "supported": True, "confidence": 0.9}

    def answers_after(steps: int) -> Any:
        def judge(inputs: Any) -> dict[str, Any]:
            done = [step for step in [*inputs.memory, inputs.hop] if step.kind == "gather"]
            marks = [one.id for one in inputs.evidence]
            return (
                {"success": True, "answer": reading, "why": "all"}
                if len(done) == steps
                else {**gathers("probe"), "relevant": marks}
            )

        return judge

    values, _ = await ask(answers_after(1), "How many probes?", corpus=pages)
    reason = "8 of 12 places with “probe” read, 4 left out."
    assert values["answer"]["complete"] == {"value": "no", "reason": reason}
    values, _ = await ask(answers_after(2), "How many probes?", corpus=pages)
    assert [hop["gathering"]["before"] for hop in values["hops"] if "gathering" in hop] == [0, 8]
    assert values["answer"]["complete"] == {"value": "yes", "reason": "12 of 12 places with “probe” read."}


async def test_an_empty_gathering_is_a_failed_step_that_the_next_decision_sees() -> None:
    def judge(inputs: Any) -> dict[str, Any]:
        if inputs.hop.kind == "opening":
            return gathers("no such words")
        return {"success": False, "answer": {**ABSTAINS, "text": inputs.hop.reason}, "why": "nothing"}

    values, (_, after) = await ask(judge)
    assert (after.hop.kind, after.hop.outcome) == ("gather", "failure")
    assert values["answer"]["text"] == "No heading, sentence, row or caption contains 'no such words'."
    number = len(values["hops"][0]["documents"])
    assert values["answer"]["complete"] == {
        "value": "yes", "reason": f"0 places with “no such words” in {number} documents.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("decided", "problem"),
    [
        (gathers("gone#0", "rest"), "'gone#0' is no component in sight"),
        (gathers(" "), "The action 'phrase' needs targets"),
    ],
)
async def test_a_request_that_does_not_fit_is_refused(decided: Any, problem: str) -> None:
    values, _ = await ask([decided])
    assert problem in values["failures"][0]["message"]


async def test_nothing_is_gathered_where_it_is_switched_off() -> None:
    off = SETTINGS.model_copy(update={"fif": FifSettings(opening=1, gather=False)})
    values, (opening, *_) = await ask([gathers(PHRASE)], settings=off)
    assert not opening.may_gather
    assert "The action 'phrase' is not possible here" in values["failures"][0]["message"]
    assert not [hop for hop in values["hops"] if hop["kind"] == "gather"]


async def test_what_was_marked_stays_citable_by_a_line_of_a_ledger(pages: Any) -> None:
    marked: list[str] = []

    def judge(inputs: Any) -> dict[str, Any]:
        steps = [step for step in [*inputs.memory, inputs.hop] if step.kind == "gather"]
        if len(steps) < 2:
            return {**gathers("probe"), "relevant": [one.id for one in inputs.evidence if one.id.startswith("page")]}
        marked.extend(one.id for one in inputs.evidence if "…" in one.sentences[0])
        cited = [{"component": marked[-1], "sentence": 0}]
        reading = {"short": "12", "text": "12", "citations": cited, "supported": True, "confidence": 0.9}
        return {"success": True, "answer": reading, "why": "stated"}

    values, asked = await ask(judge, "How many probes?", corpus=pages)
    assert {one.id for one in asked[-1].evidence} == {f"page-{n}#0" for n in range(12)}
    assert marked
    judged = [step.judgement for step in asked[-1].memory if step.kind == "gather"]
    assert judged == ["It has to be complete."], "what the decision after a gathering said of it is kept"
    assert all(len(one.sentences[0]) <= 200 for one in asked[-1].evidence if one.id in marked)
    assert values["answer"]["citations"][0]["component"] == marked[-1]
