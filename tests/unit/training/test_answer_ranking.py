"""Weights of the reader's ranking: learnt from recorded questions, the same each time, too few refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backtrail.evals.questions import Question
from backtrail.rules.reader.calibration import Calibration, packaged
from backtrail.rules.reader.ranking import reading_by, weights
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.offline.extract import ExtractInputs
from backtrail.training.answer_ranking.__main__ import main
from backtrail.training.answer_ranking.fitting import CANDIDATES, QUOTES, Fitting
from backtrail.training.answer_ranking.listwise import Choices, fit
from backtrail.training.answer_ranking.reading import Read, candidate_choices, first_is_right, read
from backtrail.training.answer_ranking.recorded import Recorded, read_recorded
from backtrail.training.answer_ranking.train import FIXED, train
from backtrail.training.errors import RowsError, TooFewToRank, UnknownSignals

NAMES = ("Ada", "Bela", "Carla", "Dora", "Edda", "Frida", "Greta", "Hanna", "Ilse", "Jana", "Klara", "Lena")
TOWNS = ("Ulm", "Trier", "Worms", "Passau", "Gotha", "Jena")


def recorded(number: int, corpus: str) -> Recorded:
    """A table of makers and towns; the question asks for one of them by the column's name."""
    makers = [NAMES[(number + row) % len(NAMES)] for row in range(4)]
    ships = [f"Vessel {chr(65 + (number + row) % 26)}{row}" for row in range(4)]
    towns = [TOWNS[(number + 2 * row) % len(TOWNS)] for row in range(4)]
    table = EvidenceText(
        id=f"t{number}", modality="table", title=f"Fleet {number}", header=["Ship", "Captain", "Harbour"],
        rows=[list(row) for row in zip(ships, makers, towns, strict=True)], score=1.0,
    )  # fmt: skip
    text = EvidenceText(
        id=f"s{number}", modality="text", title="Weather", score=0.5,
        sentences=[f"In {1900 + number} it rained in Berlin.", "Maria Huber measured the rain there."],
    )  # fmt: skip
    row = number % 4
    asked, answer = (("captain", makers), ("harbour", towns))[number % 2]
    question = Question(
        id=f"{corpus}-{number}", question=f"Which {asked} has {ships[row]}?", answers=(answer[row],),
        gold=((table.id,),),
    )  # fmt: skip
    return Recorded(
        task=corpus, corpus=corpus, question=question,
        inputs=ExtractInputs(question=question.question, evidence=[text, table]),
    )  # fmt: skip


def rows(count: int) -> list[Recorded]:
    return [recorded(number, f"corpus-{number % 2}") for number in range(count)]


def file_of(folder: Path, count: int) -> Path:
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{row.model_dump_json()}\n" for row in rows(count)), encoding="utf-8")
    return file


def test_after_training_right_candidates_come_first() -> None:
    questions = [read(row) for row in rows(240)]
    learnt = train(questions[:200])
    unseen = questions[200:]
    backwards = {name: -weight for name, weight in learnt[CANDIDATES].items()}
    assert sum(first_is_right(one, learnt[CANDIDATES]) for one in unseen) == len(unseen)
    assert not any(first_is_right(one, backwards) for one in unseen)
    assert learnt[CANDIDATES].keys() == weights(CANDIDATES).keys()
    assert learnt[QUOTES].keys() == weights(QUOTES).keys()


def test_the_same_questions_give_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, outs = file_of(tmp_path, 240), [tmp_path / "one.json", tmp_path / "two.json"]
    for out in outs:
        main(["--recorded", str(file), "--out", str(out)])
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert json.loads(outs[0].read_text()).keys() == {CANDIDATES, QUOTES}
    told = capsys.readouterr().out
    assert [line.split()[:2] for line in told.splitlines() if line.startswith("corpus-")][:2] == [
        ["corpus-0", "120"], ["corpus-1", "120"],
    ]  # fmt: skip
    assert sorted(one.name for one in tmp_path.iterdir()) == ["one.json", "rows.jsonl", "two.json"]


def test_too_few_questions_are_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(TooFewToRank, match=r"need 100 questions .* of 40 to learn from"):
        train([read(row) for row in rows(40)])
    out = tmp_path / "ranking.json"
    with pytest.raises(SystemExit) as left:
        main(["--recorded", str(file_of(tmp_path, 40)), "--out", str(out)])
    assert left.value.code == 2
    assert "Record more" in capsys.readouterr().err
    assert not out.exists()


def test_a_line_that_is_no_recorded_question_is_named(tmp_path: Path) -> None:
    file = file_of(tmp_path, 2)
    file.write_text(file.read_text() + '{"task": "t"}\n', encoding="utf-8")
    with pytest.raises(RowsError, match=r"rows\.jsonl:3: corpus"):
        read_recorded(file)


def test_lists_of_one_kind_teach_nothing_and_a_signal_of_right_things_is_weighed_up() -> None:
    draw = np.random.default_rng(3)
    lists = [
        Choices(np.column_stack([right := np.eye(5)[place % 5], draw.random(5)]), right, np.zeros(5))
        for place in range(40)
    ]
    silent = Choices(np.ones((3, 2)), np.zeros(3), np.zeros(3))
    for each in (True, False):
        learnt = fit([*lists, silent], penalty=0.01, each=each)
        assert learnt[0] > 3 * abs(learnt[1])
        assert learnt.tolist() == fit(lists, penalty=0.01, each=each).tolist()


@pytest.fixture(scope="module")
def questions() -> list[Read]:
    return [read(row) for row in rows(100)]


def test_weights_are_drawn_to_earlier_ones_the_more_strongly_the_nearer(questions: list[Read]) -> None:
    before = {of: dict.fromkeys(weights(of), 2.0) for of in (CANDIDATES, QUOTES)}
    names = [name for name in weights(CANDIDATES) if name not in FIXED]

    def far(pull: float) -> float:
        learnt = train(questions, Fitting(towards=before, pull=pull, learnt=(CANDIDATES,)))
        assert learnt[QUOTES] == before[QUOTES]
        return max(abs(learnt[CANDIDATES][name] - 2.0) for name in names)

    assert far(1e6) == 0.0
    assert far(1.0) < far(0.01)


def test_a_signal_that_earlier_weights_do_not_have_is_drawn_to_zero(questions: list[Read]) -> None:
    before = {of: {name: 2.0 for name in weights(of) if name != "chain"} for of in (CANDIDATES, QUOTES)}
    learnt = train(questions, Fitting(towards=before, pull=1e6))
    assert learnt[CANDIDATES]["chain"] == learnt[QUOTES]["chain"] == 0.0
    assert learnt[CANDIDATES]["near"] == 2.0


def test_of_named_signals_alone_is_learnt_and_unknown_ones_are_refused(questions: list[Read]) -> None:
    learnt = train(questions, Fitting(learnt=(CANDIDATES,), signals=("near", "chain")))[CANDIDATES]
    before = weights(CANDIDATES)
    assert {name for name in before if learnt[name] != before[name]} == {"near", "chain"}
    with pytest.raises(UnknownSignals, match=r"the signals nearby\. There are adds, "):
        train(questions, Fitting(learnt=(CANDIDATES,), signals=("near", "nearby")))


def test_a_list_that_counts_twice_weighs_as_much_as_two() -> None:
    draw, values = np.random.default_rng(5), np.array([0.0, 0.2, 0.5, 1.0])
    table = [np.column_stack([draw.permutation(values), draw.permutation(values)]) for _ in range(30)]
    lists = [Choices(signals, np.eye(4)[place % 4], np.zeros(4)) for place, signals in enumerate(table)]
    twice = [replace(one, counts=2.0) for one in lists[:10]]
    for each in (True, False):
        learnt = fit([*twice, *lists[10:]], penalty=0.01, each=each)
        assert learnt == pytest.approx(fit([*lists[:10], *lists], penalty=0.01, each=each))
    fitting = Fitting(counts={"made-*": 0.5})
    assert [fitting.counted(lists[0], task).counts for task in ("made-wild", "wild")] == [0.5, 1.0]


def test_of_the_first_candidates_alone_is_learnt() -> None:
    one = read(recorded(0, "corpus"))
    listed = candidate_choices(one, ["chain"], {}, ({"chain": 1.0}, 3))
    everything = candidate_choices(one, ["chain"], {})
    assert len(listed.right) == 3 < len(everything.right)
    assert sorted(listed.signals[:, 0]) == sorted(everything.signals[:, 0])[-3:]


def test_weights_on_trial_are_read_by_and_gone_afterwards() -> None:
    question, before = read(recorded(0, "corpus")), weights(CANDIDATES)
    trial = {CANDIDATES: {"cell": 5.0}, QUOTES: {"chain": 1.0}}
    with reading_by(trial):
        assert weights(CANDIDATES) == {"cell": 5.0}
        assert read(recorded(0, "corpus")).signals == question.signals
    assert weights(CANDIDATES) is before


def test_levels_are_chosen_by_readings_that_the_weights_had_not_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, levels = file_of(tmp_path, 150), tmp_path / "ranking.json", tmp_path / "calibration.json"
    given = ["--recorded", str(file), "--out", str(out), "--levels-out", str(levels), "--levels", "--by-question"]
    main([*given, "--towards", "packaged", "--pull", "0.1", "--first", "10", "--only", "candidates"])
    assert json.loads(out.read_text())[QUOTES] == weights(QUOTES)
    found = Calibration.model_validate_json(levels.read_text())
    assert (found.signals, found.intercept, found.made) == (packaged().signals, packaged().intercept, packaged().made)
    assert f"high begins at {packaged().high} now, at {found.high} then" in capsys.readouterr().out
    # Every question is read rightly, so the level is that of the least sure of them.
    assert found.medium <= found.high < 1.0


def test_a_file_without_weights_of_both_sets_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "earlier.json"
    wrong.write_text('{"candidates": {"cell": 1.0}}', encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["--recorded", str(file_of(tmp_path, 2)), "--towards", str(wrong), "--dry-run"])
    assert left.value.code == 2
    assert "earlier.json holds no weights of a ranking" in capsys.readouterr().err
