"""What a checkpoint holds comes back as it was, in less room, and a damaged or swollen one is refused."""

import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from backtrail.tools.checkpoints import serializer
from backtrail.tools.checkpoints.serializer import COMPRESSED, WORTH_IT, strict_serializer
from backtrail.tools.errors import CheckpointUnreadable

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
EVIDENCE = [{"component": f"page.html#p{n}", "title": "Voyager 1", "snippet": "It left the planets"} for n in range(90)]


@given(VALUES, st.integers(0, 3_000))
def test_a_value_comes_back_as_it_was(value: Any, padding: int) -> None:
    serializer = strict_serializer()
    held = {"value": value, "padding": "x" * padding}
    assert serializer.loads_typed(serializer.dumps_typed(held)) == held


def test_a_memory_takes_less_than_a_third_of_the_room_and_small_values_stay_as_they_are() -> None:
    serializer = strict_serializer()
    plain = JsonPlusSerializer().dumps_typed(EVIDENCE)[1]
    kind, content = serializer.dumps_typed(EVIDENCE)
    assert kind.endswith(COMPRESSED)
    assert len(content) < len(plain) / 3
    assert serializer.dumps_typed("x" * (WORTH_IT // 2))[0] == "msgpack"


def test_what_was_written_before_values_were_compressed_is_read() -> None:
    memory = {"evidence": EVIDENCE, "messages": [HumanMessage("Which craft?")]}
    assert strict_serializer().loads_typed(JsonPlusSerializer().dumps_typed(memory)) == memory


def test_damaged_and_cut_off_bytes_are_refused_with_their_size() -> None:
    kind, content = strict_serializer().dumps_typed(EVIDENCE)
    with pytest.raises(CheckpointUnreadable, match="cut off"):
        strict_serializer().loads_typed((kind, content[:-20]))
    with pytest.raises(CheckpointUnreadable, match=rf"{len(content)} bytes is damaged"):
        strict_serializer().loads_typed((kind, b"no" + content[2:]))


def test_a_small_file_does_not_swell_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serializer, "LARGEST", 100_000)
    with pytest.raises(CheckpointUnreadable, match="decompresses to more than 100000 bytes"):
        strict_serializer().loads_typed(("bytes" + COMPRESSED, zlib.compress(b"\0" * 100_001)))
