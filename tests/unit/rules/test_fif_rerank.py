"""The offline reranker: alone, as a start, as an end of a path."""

from backtrail.rules.fif.rerank import rerank
from backtrail.state.fif.choice_decisions import RERANK, RerankCandidate, RerankInputs


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


def test_what_covers_more_comes_first() -> None:
    assert _order(_candidate(0, "poor", 0.2), _candidate(1, "good", 0.8)) == ["good", "poor"]


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
