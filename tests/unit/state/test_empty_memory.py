"""The memory that the next question of a thread starts from."""

from __future__ import annotations

from langgraph.types import Overwrite

from backtrail.state.fif.memory import FifState
from backtrail.state.memory import empty_memory


def test_each_key_starts_empty_and_the_conversation_stays() -> None:
    fresh = empty_memory(FifState)
    assert {key: fresh[key] for key in ("hop", "draft", "opening")} == {"hop": None, "draft": None, "opening": None}
    assert fresh["hops"] == Overwrite([])  # a reducer would add to the last question's
    assert not {"messages", "question", "answer"} & set(fresh)
