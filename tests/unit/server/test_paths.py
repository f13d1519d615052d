"""What clients are told names files, and not where on the server they lie."""

import pytest

from backtrail.server.paths import without_paths
from backtrail.state.errors import BacktrailError, InputRefused, filter_error_texts
from backtrail.tools.home import home


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("The folder '/srv/my models/qwen 2' does not exist.", "The folder '…/qwen 2' does not exist."),
        ("/srv/models/qwen lacks config.json (/srv/x/y.json).", "…/qwen lacks config.json (…/y.json)."),
        (r"C:\models\qwen is damaged; 'D:\a b\c'.", "…/qwen is damaged; '…/c'."),
        (
            "Ask openai-compatible:x@http://gpu.example:8000/v1/chat.",
            "Ask openai-compatible:x@http://gpu.example:8000/v1/chat.",
        ),
        ("either/or, 3/4, and/or/not, a ratio of 1/2/3", "either/or, 3/4, and/or/not, a ratio of 1/2/3"),
        ("See https://example.org/a/b/c.html.", "See https://example.org/a/b/c.html."),
    ],
)
def test_paths_lose_their_folders_and_addresses_do_not(said: str, shown: str) -> None:
    assert without_paths(said) == shown


def test_the_home_is_named_by_its_variable() -> None:
    assert without_paths(f"{home()}/corpora/x/corpus.sqlite is damaged.") == (
        "$BACKTRAIL_HOME/corpora/x/corpus.sqlite is damaged."
    )


def test_errors_say_all_but_to_others(caplog: pytest.LogCaptureFixture) -> None:
    error, refused = BacktrailError(f"{home()}/a is damaged."), InputRefused("'/srv/b/c' cannot be read.")
    with filter_error_texts(without_paths):
        assert [str(error), str(refused)] == ["$BACKTRAIL_HOME/a is damaged.", "'…/c' cannot be read."]
        assert str(home()) not in f"{error}"
    assert str(error) == f"{home()}/a is damaged."
    assert f"{home()}/a is damaged." in caplog.text


def test_long_sentences_are_read_in_one_go() -> None:
    for shape in ("/a" * 200_000, "'/" + "a" * 200_000, "/" * 200_000, "C:\\" * 100_000, "'" * 200_000):
        assert isinstance(without_paths(shape), str)
