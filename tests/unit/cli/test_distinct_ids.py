from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.cli.commands.trace import distinct


@given(st.lists(st.text("0123456789abcdef-", min_size=8, max_size=36), unique=True))
def test_as_many_letters_are_shown_as_tell_threads_apart(ids: list[str]) -> None:
    shown = distinct(ids)
    assert shown >= 8
    assert len({id_[:shown] for id_ in ids}) == len(ids)
