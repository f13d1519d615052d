"""The runner over a real corpus with a toy embedder: failures, retries, resuming, concurrency."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.evals.errors import ResultsError
from backtrail.evals.questions import Question
from backtrail.evals.results import open_results
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.tasks.custom import custom_task
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

PLACES = ["Olympus", "Tharsis", "Hellas", "Elysium", "Argyre", "Utopia"]


class Moody:
    """The stored corpus, except that lexical search fails on some questions while ``broken``."""

    def __init__(self, corpus: Any) -> None:
        self._corpus = corpus
        self.broken: set[str] = set()
        self.asked: list[str] = []
        self.gate: threading.Barrier | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def search_lexical(self, query: str, layer: Any, limit: int) -> Any:
        if query != "warm-up":
            self.asked.append(query)
            if self.gate:
                self.gate.wait(timeout=20)
        if any(word in query for word in self.broken):
            raise ConnectionError(f"no words for {query!r}")
        return self._corpus.search_lexical(query, layer, limit)


@pytest.fixture
def corpus(tmp_path: Path, own_home: None) -> Moody:
    texts = {place: [f"{place} is region number {number} of Mars."] for number, place in enumerate(PLACES)}
    bundle = write_bundle(tmp_path / "mars", texts)
    ingest([bundle], "mars", embedder="offline", opened=HashedEmbedder())
    return Moody(open_corpus("mars", embedder=HashedEmbedder()))


QUESTIONS = [
    Question(id=place.lower(), question=f"Which region is {place}?", answers=(place,), gold=((f"{place}#0",),))
    for place in PLACES
]


def read_first(inputs: Any) -> dict[str, Any]:
    first = inputs.evidence[0]
    return {
        "answer": first.title.removeprefix("About "),
        "citations": [{"component": first.id}],
        "supported": True,
        "confidence": 1.0,
    }


async def run(corpus: Moody, questions: Sequence[Question] = QUESTIONS, **options: Any) -> Evaluation:
    toolbox = Toolbox(open_corpus=lambda name: corpus)  # type: ignore[arg-type,return-value]
    toolbox.rules = ScriptedDecider({"answer": read_first})
    settings = options.pop("settings", Settings(corpus="mars"))
    corpus.asked.clear()
    return await evaluate(Job(custom_task(Path("-"), "mars"), "bm25", settings, questions, **options), toolbox)


async def test_every_question_has_a_line_with_its_scores(corpus: Moody) -> None:
    done = await run(corpus, command="backtrail eval custom")
    assert corpus.asked == [question.question for question in QUESTIONS]
    lines = [json.loads(line) for line in (done.folder / "results.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [question.id for question in QUESTIONS]
    assert all(line["scores"]["Hit@1"] == line["scores"]["EM"] == 1.0 for line in lines)
    assert all(line["seconds"] > 0 for line in lines)
    record = json.loads((done.folder / "run.json").read_text())
    assert record["settings"]["corpus"] == "mars"
    assert record["corpus_version"] == corpus.version
    assert record["package_version"]
    assert record["runs"][0]["command"] == "backtrail eval custom"
    assert done.folder.parts[-3:-1] == ("custom", "bm25")


async def test_sync_nodes_of_several_questions_run_at_once(corpus: Moody) -> None:
    corpus.gate = threading.Barrier(3)  # breaks when fewer than three searches wait together
    done = await run(corpus, concurrency=3)
    assert all(outcome.error is None for _, outcome in done.pairs)
    assert [question.id for question, _ in done.pairs] == [question.id for question in QUESTIONS]


async def test_a_failed_question_is_kept_with_its_error_and_asked_again_only_when_wanted(corpus: Moody) -> None:
    corpus.broken = {"Hellas"}
    done = await run(corpus, QUESTIONS[:4], concurrency=2)
    assert len(done.pairs) == 4
    errors = {outcome.id: outcome.error for _, outcome in done.pairs if outcome.error}
    assert errors == {"hellas": "ConnectionError: no words for 'Which region is Hellas?'"}
    corpus.broken = set()
    assert (await run(corpus, QUESTIONS[:4])).questions_run == 0
    retried = await run(corpus, QUESTIONS[:4], retry_failed=True)
    assert corpus.asked == ["Which region is Hellas?"]
    assert all(outcome.error is None for _, outcome in retried.pairs)


async def test_a_torn_last_line_is_asked_again_and_a_damaged_one_is_named(corpus: Moody) -> None:
    done = await run(corpus, QUESTIONS[:3])
    file = done.folder / "results.jsonl"
    whole = file.read_bytes()
    for cut in (1, 40):
        file.write_bytes(whole[:-cut])
        assert (await run(corpus, QUESTIONS[:3])).questions_run == 1
        assert corpus.asked == ["Which region is Hellas?"]
        assert len(file.read_text().splitlines()) == 3
    first, *others = file.read_text().splitlines()
    file.write_text("\n".join([first[:-9], *others, ""]))
    with pytest.raises(ResultsError, match=r"results\.jsonl:1: not a line of results"):
        await run(corpus, QUESTIONS[:2])


async def test_a_reworded_question_other_settings_and_variants_are_asked_anew_and_kept_apart(corpus: Moody) -> None:
    first = await run(corpus, QUESTIONS[:2])
    reworded = QUESTIONS[0].model_copy(update={"question": "Where is Olympus?"})
    assert (await run(corpus, [reworded, QUESTIONS[1]])).questions_run == 1
    other = await run(corpus, QUESTIONS[:2], settings=Settings(corpus="mars", k=3))
    assert other.questions_run == 2
    assert other.folder != first.folder
    published = await run(corpus, QUESTIONS[:2], settings=Settings(corpus="mars", variant="published"))
    assert (first.method, published.method, published.questions_run) == ("bm25", "bm25:published", 2)
    assert published.folder.parts[-2] == "bm25"
    assert json.loads((published.folder / "run.json").read_text())["variant"] == "published"


async def test_starting_afresh_puts_earlier_results_aside_and_a_folder_has_one_writer(corpus: Moody) -> None:
    await run(corpus, QUESTIONS[:2])
    again = await run(corpus, QUESTIONS[:2], fresh=True)
    assert again.questions_run == 2
    assert len((again.folder / "results.1.jsonl").read_text().splitlines()) == 2
    with open_results(again.folder), pytest.raises(ResultsError, match="Another evaluation"):
        await run(corpus, QUESTIONS[:2])
