"""The offline evaluator and reranker: what counts as a success, what it resolves, and what comes first."""

import pytest

from backtrail.rules.fif.evaluate import evaluate, tentative_answer
from backtrail.rules.fif.rerank import rerank
from backtrail.state.fif.choice_decisions import RERANK, RerankCandidate, RerankInputs
from backtrail.state.fif.evaluate_decisions import EVALUATE, EvaluateInputs, Evaluation, ReadComponent
from backtrail.state.fif.memory_views import SubqueryView


def _read(key: str, coverage: float, **fit: object) -> ReadComponent:
    return ReadComponent(
        id=key, modality="text", title=key, text="Some text.", similarity=0.5, coverage=coverage,
        **{"path_coverage": coverage, **fit},
    )  # fmt: skip


def _judge(*components: ReadComponent, open_subqueries: int = 2) -> Evaluation:
    subqueries = [SubqueryView(id=f"q{n}", text=f"subquery {n}", status="open") for n in range(open_subqueries)]
    inputs = EvaluateInputs(
        question="q", subtask="s", subquery_id="q0", open_subqueries=subqueries, known=[], components=list(components)
    )
    judged = evaluate(inputs)
    assert EVALUATE.check(inputs, judged) == []
    return judged


@pytest.mark.parametrize(
    ("found", "answerable"),
    [
        ([], False),
        ([_read("repeats", 0.8)], False),  # the words of the question are no answer
        ([_read("part", 0.3, parts={"q0": 0.9})], False),  # a subquery needs as much as the question does
        ([_read("led", 0.3, parts={"q0": 0.7}, parent="bridge")], True),
        ([_read("bridge", 0.2, links=3, parts={"q0": 0.5})], True),  # what leads on is judged by the subquery at hand
    ],
)
def test_what_counts_as_a_success(found: list[ReadComponent], answerable: bool) -> None:
    assert _judge(*found).answerable is answerable


def test_a_covering_path_resolves_everything_that_is_open() -> None:
    judged = _judge(_read("answer", 0.2, path_coverage=0.8, parent="bridge", anchor_text="the answer"))
    assert judged.answerable
    assert [one.subquery_id for one in judged.resolved] == ["q0", "q1"]


def test_a_fitting_component_that_leads_on_resolves_only_the_first_step() -> None:
    judged = _judge(_read("bridge", 0.5, links=7))
    assert judged.answerable
    assert [one.subquery_id for one in judged.resolved] == ["q0"]
    assert "links to 7 documents" in judged.reason


def test_the_bridge_entity_is_the_cell_that_the_subquery_does_not_name() -> None:
    table = ReadComponent(
        id="t", modality="table", title="Bridges", similarity=0.5,
        text="Bridges of Vienna\nName | River | Year\n0: Reichsbrücke | Danube | 1980\n1: Urania | Wien | 1909",
    )  # fmt: skip
    assert tentative_answer("which river has a bridge of the year 1909: Urania", table) == "Wien"


def test_a_piece_that_says_all_of_a_subquery_is_a_success_however_little_of_the_question_that_is() -> None:
    judged = _judge(_read("first", 0.3, parts={"q0": 0.97}), _read("other", 0.35, parts={"q0": 0.2}))
    assert judged.answerable
    assert [(one.subquery_id, one.component) for one in judged.resolved] == [("q0", "first")]
    assert judged.relevant[0] == "first"
    assert "covers 97% of the subquery q0" in judged.reason


def _candidate(index: int, key: str, coverage: float, **fit: object) -> RerankCandidate:
    return RerankCandidate(
        index=index, id=key, title=key, text="", similarity=0.4, coverage=coverage,
        **{"path_coverage": coverage, "modality": "text", **fit},
    )  # fmt: skip


def _order(*candidates: RerankCandidate, keep: int = 10, question: str = "q") -> list[str]:
    inputs = RerankInputs(question=question, candidates=list(candidates), keep=keep)
    selection = rerank(inputs)
    assert RERANK.check(inputs, selection) == []
    assert [choice.score for choice in selection.choices] == sorted((c.score for c in selection.choices), reverse=True)
    return [choice.id for choice in selection.choices]


def test_the_two_ends_of_a_covering_path_outrank_a_page_that_only_repeats_the_words() -> None:
    order = _order(
        _candidate(0, "repeats", 0.7),
        _candidate(1, "bridge", 0.5, onward_coverage=0.9, links=4),
        _candidate(2, "answer", 0.2, path_coverage=0.9, parent="bridge"),
    )
    assert order == ["bridge", "answer", "repeats"]


def test_no_more_than_k_are_kept() -> None:
    assert len(_order(*(_candidate(i, f"c{i}", i / 10) for i in range(9)), keep=3)) == 3


def test_the_best_two_tables_are_lifted_and_a_third_leaves_texts_their_places() -> None:
    tables = [_candidate(i, f"table{i}", 0.5, modality="table", context=0.5) for i in range(3)]
    text = _candidate(3, "text", 0.75, context=0.5)
    assert _order(*tables, text) == ["table0", "table1", "text", "table2"]


def test_pictures_are_lifted_where_a_picture_is_asked_for() -> None:
    found = _candidate(0, "text", 0.5, context=0.5), _candidate(1, "drawing", 0.4, modality="image", context=0.5)
    assert _order(*found, question="What does the drawing show?") == ["drawing", "text"]
    assert _order(*found, question="What does it show?") == ["text", "drawing"]
    titled = _candidate(0, "text", 0.5, context=0.1), _candidate(1, "drawing", 0.4, modality="image", context=0.0)
    assert _order(*titled, question="Which drawing?") == ["text", "drawing"]
