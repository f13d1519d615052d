"""Distinct numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.corpus.distinct import distinct


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)))
def test_each_is_given_once_and_in_order(numbers: list[int]) -> None:
    given_ = np.array(numbers, np.int64)
    assert distinct(given_).tolist() == sorted(set(numbers))
    assert given_.tolist() == numbers
