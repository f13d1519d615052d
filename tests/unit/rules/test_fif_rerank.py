"""The offline reranker: alone, as a start, as an end of a path."""

from backtrail.rules.fif.rerank import rerank
from backtrail.state.fif.choice_decisions import RERANK, RerankCandidate, RerankInputs


def _candidate(index: int, key: str, coverage: float, **fit: object) -> RerankCandidate:
    return RerankCandidate(
        index=index, id=key, modality="text", title=key, text="", similarity=0.4, coverage=coverage,
        **{"path_coverage": coverage, **fit},
    )  # fmt: skip


def _order(*candidates: RerankCandidate, keep: int = 10) -> list[str]:
    inputs = RerankInputs(question="q", candidates=list(candidates), keep=keep)
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
