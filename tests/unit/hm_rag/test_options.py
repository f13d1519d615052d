import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.evals.formats.choices import qcm
from backtrail.language.options import meant, offered, shown

LETTERS = (("A", "wife"), ("B", "hide"), ("C", "life"))
NUMBERS = (("1", "wife"), ("2", "hide"), ("3", "life"))


@pytest.mark.parametrize(
    ("question", "stem", "options"),
    [
        ("Which does not rhyme? (A) wife (B) hide (C) life", "Which does not rhyme?", LETTERS),
        ("Which does not rhyme?\na) wife\nb) hide\nc) life", "Which does not rhyme?", LETTERS),
        ("Which does not rhyme? 1. wife 2. hide 3. life", "Which does not rhyme?", NUMBERS),
        ("Question: Which?\nContext: N/A\nOptions: (A) wife, (B) hide, (C) life\nAnswer:", "Which?", LETTERS),
        ("Which? (A) Pair 1. (B) Pair 2.", "Which?", (("A", "Pair 1."), ("B", "Pair 2."))),
    ],
)  # fmt: skip
def test_options_as_letters_numbers_and_text(question: str, stem: str, options: tuple[tuple[str, str], ...]) -> None:
    found = offered(question)
    assert found.stem == stem
    assert found.options == options


@pytest.mark.parametrize(
    "question",
    ["Who built it?", "What is vitamin A. like?", "Which (A) is it?", "Options: one", "(A) same (B) same", ""],
)
def test_no_multiple_choice(question: str) -> None:
    assert offered(question).options == ()
    assert offered(question).stem == question.strip()


TEXTS = st.lists(
    st.text(alphabet="abc 1é°", min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool),
    min_size=2, max_size=5, unique=True,
)  # fmt: skip


@given(texts=TEXTS)
def test_the_qcm_form_is_read_back(texts: list[str]) -> None:
    found = offered(qcm("Which one is it?", "Nothing else is known.", texts))
    assert found.options == tuple(zip(string.ascii_uppercase, texts, strict=False))
    assert found.stem == "Which one is it?\nNothing else is known."


@given(texts=TEXTS)
def test_an_option_means_itself(texts: list[str]) -> None:
    options = list(zip(string.ascii_uppercase, texts, strict=False))
    for label, text in options:
        assert meant(shown(label, text), options) == label
        assert meant(f"The answer is ({label}).", options) == label


CELLS = [("A", "cell"), ("B", "cell wall"), ("C", "3"), ("D", "4:0")]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("B", "B"), ("b)", "B"), ("(B)", "B"), ("B. cell wall", "B"), ("The answer is B.", "B"), ("cell wall", "B"),
        ("It is the cell wall.", "B"), ("cell wall, as plants have one", "B"), ("Cell", "A"), ("3", "C"), ("2", "B"),
        ("4:0", "D"), ("A cell wall surrounds it", "B"), ("a cell or 3", None), ("neither", None), ("", None),
        ("the answer is a mystery", None), ("(E) none", None),
    ],
)  # fmt: skip
def test_what_an_answer_means(answer: str, label: str | None) -> None:
    assert meant(answer, CELLS) == label
