"""Text out of tokens: complete, in pieces, and never beyond a stop sequence."""

from hypothesis import example, given
from hypothesis import strategies as st

from backtrail.tools.local.stream_text import TokenDecoder


class Bytes:
    """A tokenizer with a token for each byte: letters of other scripts take several."""

    def decode(self, tokens: list[int], **_: object) -> str:
        return bytes(tokens).decode("utf-8", "replace")


def heard(text: bytes, *stop: str) -> tuple[list[str], TokenDecoder]:
    spoken = TokenDecoder(Bytes(), stop)
    pieces: list[str] = []
    for token in text:
        pieces.append(spoken.hear(token))
        if spoken.stopped:
            break
    return [*pieces, spoken.end()], spoken


@given(st.text(alphabet=st.characters(exclude_characters="\ufffd", codec="utf-8")))
def test_the_pieces_are_the_text(text: str) -> None:
    pieces, spoken = heard(text.encode())
    assert "".join(pieces) == spoken.text == text


@example("aca", ["c", "aca"])
@given(st.text("ab\nc"), st.lists(st.text("ab\nc", min_size=1, max_size=3), max_size=2))
def test_nothing_of_a_stop_sequence_gets_out(text: str, stop: list[str]) -> None:
    # A model writes no further than the first sequence that is complete: a longer one may have begun before it.
    written = next((text[:end] for end in range(len(text) + 1) if any(one in text[:end] for one in stop)), text)
    places = [written.find(one) for one in stop if one in written]
    pieces, spoken = heard(text.encode(), *stop)
    assert "".join(pieces) == spoken.text == text[: min(places, default=len(text))]


def test_letters_of_several_tokens_come_whole_and_the_beginning_of_a_stop_sequence_waits() -> None:
    assert heard("Zürich".encode())[0] == ["Z", "", "ü", "r", "i", "c", "h", ""]
    assert heard(b"a\xff")[0] == ["a", "", "\ufffd"], "bytes that are no text are given out at the end"
    assert heard(b"x\n", "\n\n")[0] == ["x", "", "\n"]
    assert heard(b"x\ny", "\n\n")[0] == ["x", "", "\ny", ""]
