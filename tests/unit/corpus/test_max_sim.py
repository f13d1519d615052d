"""MaxSim over many pages, in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from backtrail.tools.corpus.pages import max_sim as module
from backtrail.tools.corpus.pages.max_sim import max_sim


@pytest.mark.parametrize("block", [1, 4 * 20 * (8 + 3), module.BLOCK])
def test_a_page_scores_the_best_match_of_each_vector_of_the_question(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    draw = np.random.default_rng(0)
    question = draw.standard_normal((3, 8)).astype(np.float32)
    pages = [draw.standard_normal((size, 8)).astype(np.float16) for size in (1, 7, 30, 12, 1, 5)]
    expected = [sum(max(float(row @ part) for row in page.astype(np.float32)) for part in question) for page in pages]
    np.testing.assert_allclose(max_sim(question, iter(pages)), expected, rtol=1e-5)
    assert max_sim(question, []).shape == (0,)
