"""Local checkpoints at the command line and as deciders, named ``local:FOLDER`` like any other model."""

import json
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx
from fixtures.command_line import run
from fixtures.local_models import Checkpoints
from fixtures.optional_packages import skip_without
from fixtures.scripted_fif import DOCUMENTS
from fixtures.tiny_corpora import write_bundle
from fixtures.tiny_vlm import picture, save_terse_model

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.budget import Allowance
from backtrail.state.ingest_decisions import DESCRIBE_PICTURE, DescribePictureInputs
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import BudgetExhausted, DecisionFailed, PictureAttachment
from backtrail.tools.errors import ModelUnavailable
from backtrail.tools.local.captioning import caption
from backtrail.tools.local.chat import open_local_chat

skip_without("torch", "transformers")

AROUND = DescribePictureInputs(document="Ferries", caption="The harbour")
SHOWN = PictureAttachment(picture(), "image/png", "a picture")
ASKED = AnswerInputs(
    question="Which colour is the flag?",
    evidence=[EvidenceText(id="d#0", modality="text", title="Flag", score=1.0, sentences=["The flag is red."])],
)


async def test_a_reply_is_held_to_the_decisions_schema(checkpoints: Checkpoints) -> None:
    pytest.importorskip("llguidance")
    name = f"local:{checkpoints['terse']}"
    with blockbuster_ctx():  # nothing blocks the event loop
        decided = await open_decider(name, temperature=0).decide(ANSWER, ASKED)
    assert decided.charge["calls"] == 1  # valid at the first try, from a model with random weights
    assert decided.charge["input_tokens"] > 100
    assert decided.charge["cost_usd"] == 0
    assert decided.notes == ()


async def test_without_llguidance_the_prompt_brings_the_schema(
    checkpoints: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_terse_model(tmp_path / "free")
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.tools.local.grammar.find_spec", lambda name: None)
        patch.setenv("BACKTRAIL_LOCAL_TOKENS", "8")
        decider = open_decider(f"local:{tmp_path / 'free'}", temperature=0)
        with pytest.raises(BudgetExhausted) as caught:
            await decider.decide(ANSWER, ASKED, allowance=Allowance(calls=1))
    in_words = caught.value.charge["input_tokens"]
    assert caught.value.charge["calls"] == 1
    with_grammar = await open_decider(f"local:{checkpoints['terse']}", temperature=0).decide(ANSWER, ASKED)
    assert in_words > with_grammar.charge["input_tokens"] + 500  # the prompt had to bring the schema itself


async def test_a_captioning_checkpoint_describes_pictures(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['blip2']}", temperature=0)
    decided = await decider.decide(DESCRIBE_PICTURE, AROUND, [SHOWN])
    model = open_local_chat(checkpoints["blip2"])
    said = str((await caption(model, SHOWN.content)).text)
    assert decided.output.description == " ".join(said.split())
    assert decided.output.objects == []
    assert "plain caption" in decided.notes[0]
    assert decided.charge["calls"] == 1
    assert decided.charge["output_tokens"] > 0


async def test_a_captioning_checkpoint_decides_nothing_else(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['blip2']}", temperature=0)
    with pytest.raises(DecisionFailed, match="only captions pictures"):
        await decider.decide(ANSWER, ASKED, [SHOWN])
    with pytest.raises(DecisionFailed, match="only captions pictures"):
        await decider.decide(DESCRIBE_PICTURE, AROUND)


async def test_too_slow_is_said(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_TIMEOUT", "0.05")
    decider = open_decider(f"local:{checkpoints['blip2']}", temperature=0)
    monkeypatch.setattr("backtrail.tools.local.captioning._CAPTION_TOKENS", 200)
    with pytest.raises(ModelUnavailable, match=r"within 0\.05 s") as caught:
        await decider.decide(DESCRIBE_PICTURE, AROUND, [SHOWN])
    assert caught.value.charge is not None
    assert caught.value.charge["calls"] == 1


def test_ingest_with_a_captioning_checkpoint(checkpoints: Checkpoints, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "flag.png").write_bytes(picture(size=(64, 48)))
    (pages / "ferry.html").write_text("<title>Ferries</title><p>Ferries run daily.</p><img src='flag.png' alt='Flag'>")
    for again in (False, True):
        result = run("ingest", str(pages), "--corpus", "ferries", "--vlm", f"local:{checkpoints['blip2']}", "--json")
        assert result.exit_code == 0, result.stderr
        report = json.loads(result.stdout)
        assert report["skipped"] == []
        assert (report["unchanged"] if again else report["added"]) == 1
    described = _stored_descriptions("ferries")
    assert len(described) == 1
    assert described[0]


def _stored_descriptions(corpus: str) -> list[str]:
    from backtrail.tools.corpus.open import open_corpus

    reader = open_corpus(corpus)
    found = reader.components(reader.children(["ferry.html"])["ferry.html"]).values()
    return [one.image.recognized for one in found if one.image is not None]


@pytest.mark.parametrize("method", ["dense", pytest.param("fif", marks=pytest.mark.long)])
def test_ask_with_a_checkpoint_for_every_role(method: str, checkpoints: Checkpoints, tmp_path: Path) -> None:
    pytest.importorskip("llguidance")
    write_bundle(tmp_path / "bundle", DOCUMENTS, links=[("triton", "voyager")])
    assert run("ingest", str(tmp_path / "bundle"), "--corpus", "tiny").exit_code == 0
    result = run(
        "ask", "When was Voyager 2 launched?", "--corpus", "tiny", "--method", method, "--json",
        "--model", f"local:{checkpoints['terse']}", "--set", "budget.calls=2",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    outcome = json.loads(result.stdout)
    assert outcome["usage"]["calls"] > 0
    assert outcome["usage"]["input_tokens"] > 100
    assert outcome["usage"]["cost_usd"] == 0
    assert outcome["stop_reason"]


def test_doctor_looks_at_the_folder(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BACKTRAIL_READER", f"local:{checkpoints['qwen3_vl']}")
    monkeypatch.setenv("BACKTRAIL_PLANNER", f"local:{tmp_path}")
    said = " ".join(run("doctor").output.split())
    assert "vision-language checkpoint, qwen3_vl" in said
    assert "is not a checkpoint folder: it has no config.json" in said
