"""Scorers against the authors' own code, whose scores are kept beside the answers, and those of WebQA."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.outcomes import asked, replied

from backtrail.evals.outcome import Outcome
from backtrail.evals.page_locations import document_of
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers import cider, fluency, list_answers, mmdocrag, mmlongbench, page_retrieval, webqa
from backtrail.evals.scorers.anls import anls_star
from backtrail.evals.scorers.denotation import same_denotation
from backtrail.evals.scorers.infoseek import infoseek_overall, within
from backtrail.evals.scorers.retrieval import ndcg_at
from backtrail.evals.scorers.sources import source_f1
from backtrail.evals.scorers.tatqa import em_and_f1
from backtrail.evals.scorers.visual7w import open_accuracy
from backtrail.evals.scorers.vqa_accuracy import agreement
from backtrail.evals.scorers.webqa import qa_acc
from backtrail.tools.errors import SettingsError
from backtrail.tools.local.likelihood import SequenceLikelihood

TWO = asked(gold=(("a", "a2"), ("b",)))
OFFICIAL = json.loads((Path(__file__).parents[2] / "fixtures" / "official_scores.json").read_text())


def anls(said: str, wordings: list[str]) -> float:
    return max(anls_star(said, gold) for gold in wordings) if said else 0.0


@pytest.mark.parametrize(
    ("benchmark", "ours"),
    [
        ("vqa", lambda answer, people: 100 * agreement(answer, people)),
        ("infoseek", lambda answer, bounds: within(answer, *bounds)),
        ("mmlongbench", mmlongbench.score),
        ("anls_star", anls),
        ("webqa", webqa.keyword_accuracy),
        ("quotes", mmdocrag.pooled_f1),
        ("wikitablequestions", same_denotation),
        ("tatqa", em_and_f1),
    ],
)
def test_answers_are_worth_what_the_official_evaluation_gives_them(benchmark: str, ours: Callable[..., float]) -> None:
    for *given, score in OFFICIAL[benchmark]:
        assert ours(*given) == pytest.approx(score, abs=1e-3 if benchmark in ("vqa", "webqa") else 1e-5), given


def test_pages_and_papers_are_counted_as_vidoseek_madqa_and_m3sciqa_do() -> None:
    for gold, ranked, k, recall, hit, gain, rank in OFFICIAL["pages"]:
        ours = (
            page_retrieval.recall(gold, ranked[:k]),
            page_retrieval.hit(gold, ranked[:k]),
            page_retrieval.gain(gold, ranked, k),
        )
        assert (*ours, page_retrieval.reciprocal_rank(gold, ranked[:k])) == pytest.approx(
            (recall, hit, gain, rank), abs=1e-5
        )
    for target, ranked, k, rank, gain, recall in OFFICIAL["papers"]:
        ours = (page_retrieval.reciprocal_rank([target], ranked), page_retrieval.gain([target], ranked, k))
        assert (*ours, page_retrieval.recall([target], ranked[:k])) == pytest.approx((rank, gain, recall), abs=1e-5)
    for gold, cited, documents, pages in OFFICIAL["citations"]:
        of_documents = page_retrieval.f1([document_of(one) for one in gold], [document_of(one) for one in cited])
        assert (of_documents, page_retrieval.f1(gold, cited)) == pytest.approx((documents, pages), abs=1e-5)


def test_long_answers_of_mmdocrag_score_as_officially() -> None:
    for gold, said, bleu, rouge in OFFICIAL["wording"]:
        assert (mmdocrag.bleu(gold, said), mmdocrag.rouge_l(gold, said)) == pytest.approx((bleu, rouge), abs=1e-5)


def test_lists_of_multimodalqa_are_compared_as_officially() -> None:
    for said, gold, em, f1 in OFFICIAL["multimodalqa"]:
        assert (list_answers.exact(said, gold), list_answers.f1(said, gold)) == pytest.approx((em, f1)), (said, gold)


def test_captions_are_weighed_as_the_evaluation_of_coco_does() -> None:
    ours = cider.scored([(caption, people) for caption, people, _ in OFFICIAL["cider"]])
    assert ours == pytest.approx([score for *_, score in OFFICIAL["cider"]], abs=1e-5)


def test_a_caption_weighs_by_all_that_are_scored_in_every_draw_of_them() -> None:
    pairs = [
        (asked(id=str(number), answers=tuple(people)), replied(caption))
        for number, (caption, people, _) in enumerate(OFFICIAL["cider"])
    ]
    over = cider.cider().over(pairs)
    assert over(pairs[3:4]) == pytest.approx(OFFICIAL["cider"][3][2], abs=1e-5)
    silent = (pairs[0][0], replied("I cannot see it.", abstained=True))
    assert cider.cider().over([*pairs, silent])([silent]) == 0.0


def test_infoseek_as_a_whole_is_the_harmonic_mean_of_what_was_not_seen() -> None:
    questions = [asked(answers=("Colm",), tags={"seen": seen}) for seen in ("question", "question", "entity")]
    pairs = list(zip(questions, map(replied, ("colm", "Halvor", "the Colm")), strict=True))
    assert infoseek_overall().pool(pairs) == pytest.approx(2 / 3)
    assert infoseek_overall().pool(pairs[:2]) == 0.0


@pytest.mark.parametrize(
    ("scorer", "question", "reply", "score"),
    [
        (open_accuracy(), asked(answers=("Blue",), tags={"official": "Blue."}), replied("blue"), 1.0),
        (source_f1(), TWO, replied("x", cited=("a", "c")), 0.5),
        (source_f1(), TWO, replied("x", cited=("a2", "b")), 1.0),  # a group counts once
        (ndcg_at(10), TWO, replied("x", ranking=("a", "a2")), 1 / (1 + 1 / 1.584963)),
    ],
)
def test_scores_of_examples_by_hand(scorer: Scorer, question: Question, reply: Outcome, score: float) -> None:
    assert scorer(question, reply) == pytest.approx(score, abs=1e-4)


def test_published_keywords_go_before_the_answers() -> None:
    outcome = replied("The roof is red")
    assert qa_acc()(asked(answers=("a blue roof",), tags={"category": "color", "keywords": "red"}), outcome) == 1.0
    assert qa_acc()(asked(answers=("a blue roof", "a red one"), tags={"category": "color"}), outcome) == 1.0
    assert qa_acc()(asked(answers=("red",), tags={"category": "color"}), replied("red", abstained=True)) == 0.0
    assert qa_acc()(asked(), outcome) is None


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART of a few kilobytes with random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from fixtures.tiny_checkpoints import tokenizer

    folder = tmp_path_factory.mktemp("bart")
    torch.manual_seed(3)
    config = transformers.BartConfig(
        vocab_size=10, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=12,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, decoder_start_token_id=3, forced_eos_token_id=3,
        init_std=0.5,
    )  # fmt: skip
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    tokenizer(folder).save_pretrained(folder)
    return folder


def score(answer: str, *gold: str, **fields: Any) -> float | None:
    return fluency.qa_fl()(asked(answers=gold), replied(answer, **fields))


def test_without_a_checkpoint_fluency_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(fluency.CHECKPOINT, raising=False)
    assert score("red", "red") is None


def test_the_gold_answer_is_fully_fluent_and_others_are_held_against_it(checkpoint: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(fluency.CHECKPOINT, str(checkpoint))
    assert score("a red square", "a red square") == pytest.approx(1.0)
    assert score("A red square!!", "A red square") == pytest.approx(1.0), "punctuation is not read"
    model, texts = SequenceLikelihood(checkpoint), ["blue one", "two two two a", "square"]
    own, *given = model.mean_likelihoods(["a red square"] * 4, ["a red square", *texts])
    scores = [score(answer, "a red square") or 0.0 for answer in texts]
    assert scores == pytest.approx([min(1.0, one / own) for one in given])
    assert 0.0 < min(scores) < 1.0, "the words of the answer matter"
    of_two = [score("blue one", gold) or 0.0 for gold in ("a red square", "two")]
    assert score("blue one", "a red square", "two") == pytest.approx(max(of_two))
    assert score("red " * 500, "a red square") is not None, "cut to what the checkpoint reads"


def test_a_folder_without_a_checkpoint_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv(fluency.CHECKPOINT, str(tmp_path))
    with pytest.raises(SettingsError, match="has no checkpoint"):
        score("red", "red")
