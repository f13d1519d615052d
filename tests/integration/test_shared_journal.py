"""What was paid for on one machine is found by the others that share the corpus, whatever became of the first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_extractor import says, scripted_extractor
from fixtures.tiny_corpora import write_bundle
from fixtures.unfollowed import follow_nothing

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.evals.identity import Identity
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.results import journal_of, journaled, open_results, read_trails
from backtrail.ingest.pipeline import ingest
from backtrail.state.ingest_decisions import SUMMARIZE_DOCUMENT, SummarizeDocumentInputs
from backtrail.tools.corpus.errors import DatabaseUnavailable
from backtrail.tools.corpus.manage import delete_corpus, delete_documents
from backtrail.tools.corpus.move import move_home
from backtrail.tools.deciders.recording.cache import CachingDecider
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.home import corpus_folder
from backtrail.tools.journal.shared import DECISIONS, EXTRACTIONS, SharedJournal, shared_journal
from backtrail.tools.knowledge.extractor import extractor_named
from backtrail.tools.knowledge.journal import FileJournal

At = Callable[[str], Path]


@pytest.fixture
def at(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> At:
    """Stand on a machine."""
    (tmp_path / "store").mkdir()
    monkeypatch.setenv("BACKTRAIL_STORE", f"lance:{tmp_path / 'store'}")
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url)
    follow_nothing(monkeypatch)

    def stand(machine: str) -> Path:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))
        return tmp_path / machine

    return stand


def journal(kind: str, corpus: str = "zoo") -> SharedJournal:
    found = shared_journal(corpus, kind)
    assert found is not None
    return found


async def test_a_decision_is_paid_for_once_among_all_machines(at: At) -> None:
    model = ScriptedDecider({"summarize_document": [{"summary": "Cats \0 purr."}, {"summary": "Another one."}]})
    inputs = SummarizeDocumentInputs(title="Cats", sections=[], text="Cats purr.")

    async def summary(machine: str) -> str:
        decider = CachingDecider(model, at(machine) / "decisions", journal(DECISIONS))
        return (await decider.decide(SUMMARIZE_DOCUMENT, inputs)).output.summary

    assert [await summary(machine) for machine in "aba"] == ["Cats \0 purr."] * 3
    journal(DECISIONS).clear()
    assert await summary("b") == "Cats \0 purr."  # its own record
    assert await summary("c") == "Another one."


def test_outcomes_of_an_evaluation_are_found_in_another_home(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    who = Identity("task", "fif", "ours", {"corpus": "zoo", "run": uuid4().hex}, "v1", "0", "code")
    questions = [Question(id=name, question=f"Who is {name}?") for name in ("ann", "bob", "cy")]
    outcomes = [
        Outcome(id=one.id, fingerprint=one.fingerprint, answer=f"{one.id}\0", seconds=1.0, trail={"hops": [1]})
        for one in questions
    ]
    at("a")
    with open_results(who.folder, journal=journal_of(who)) as results:
        results.append(outcomes[0])
        with monkeypatch.context() as patch:
            patch.setattr(SharedJournal, "put", _away)
            with pytest.raises(DatabaseUnavailable):
                results.append(outcomes[1])
    with open_results(who.folder, journal=journal_of(who)) as results:
        assert len(results.finished(questions)) == 2  # what was asked while the server was away is not lost
    at("b")
    with open_results(who.folder, journal=journal_of(who)) as results:
        assert [outcome.answer for _, outcome in results.finished(questions)] == ["ann\0", "bob\0"]
        assert ("ann", questions[0].fingerprint) in read_trails(who.folder)
        results.append(outcomes[2])
    assert [one.id for one in journaled(journal_of(who), questions[2])] == ["cy"]
    at("a")
    with open_results(who.folder, fresh=True, journal=journal_of(who)) as results:
        assert results.finished(questions) == []
    assert journaled(journal_of(who)) == []


def _away(*_: Any) -> None:
    raise DatabaseUnavailable("postgres", "gone")


def test_an_extractor_goes_on_where_one_on_another_machine_was_lost(at: At, tmp_path: Path) -> None:
    words = ("cats purr", "dogs bark", "birds sing", "cows moo")
    bundle = write_bundle(tmp_path / "zoo", {text.split()[0]: [f"{text} all day long"] for text in words})
    log = tmp_path / "asked"

    def lost_at(number: int) -> Any:
        seen = 0

        def extract(chunk: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == number:
                raise KeyboardInterrupt
            return says(chunk)

        return scripted_extractor(log, extract)

    def read(extractor: Any) -> Any:
        return ingest([bundle], "zoo", embedder="hashed", opened=HashedEmbedder(), extractor=extractor)

    at("a")
    with pytest.raises(KeyboardInterrupt):
        read(lost_at(3))
    kept = len(list(journal(EXTRACTIONS)))
    assert kept == 2
    at("b")
    report = read(scripted_extractor(log))
    assert report.knowledge["chunks"] == len(words) - kept
    assert report.knowledge["read"] == len(words)
    delete_documents("zoo", ["cows"], opened=HashedEmbedder())
    held = [bytes.fromhex(key.partition(" ")[0]) for key in journal(EXTRACTIONS)]
    assert len(held) == 3
    move_home("zoo")
    own = FileJournal(corpus_folder("zoo") / "knowledge")
    assert set(own.get(held, extractor_named("scripted").accepted)) == set(held)
    own.close()
    delete_corpus("zoo")
    at("c")
    assert list(journal(EXTRACTIONS)) == []
