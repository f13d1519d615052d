"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Smith met Mrs. J. K. Rowling in Washington, D.C. in 1990. They spoke.", 2),
        ("He lived in the U.S. The house burned.", 2),
        ("The U.S. Navy came.", 1),
        ("It costs 3.5 million, e.g. for St. Louis, i.e. a lot. Yes!", 2),
        ("Born ( 21 July 1985 ) in St. Paul , she won . Then she left .", 2),
        ('He said "Stop." Then he left.', 2),
        ("He said `` Stop . '' Then he left .", 2),
        ("今日は晴れ。明日は雨！本当？「はい。」そう。", 5),
        ("He joined Apple Inc. The rest is history.", 2),
        ("1. First item. 2. Second item.", 2),
        ("As shown in Table. 3 the rate fell (Tab. 4, Sec. 2.1). See Chap. 5 and Fig. S2.", 2),
        ("Follow the steps: 1. Open the file; 2. Save it. It holds at most 2. Close it.", 3),
        ("2.1. Open the file. a. Save it. iv. Close it. Step 5. Leave.", 4),
        ("Table 1. Rates by year. NOTE 11. Pension plans. In August 2010. Later.", 4),
        ("No full stop", 1),
    ],
)
def test_number_of_sentences(text: str, count: int) -> None:
    sentences = split_sentences(text)
    assert len(sentences) == count, sentences


TEXTS = [
    ["Mr. X of the U.N. spoke.", "“Fine,” he said."],
    ["Sie wurde am 3. Oktober 1887 eröffnet.", "Danach kamen viele Besucher."],
    ["Es gibt Züge, d. h. Regionalzüge, bzw. Busse.", "Nr. 5 fährt nachts."],
    ["Темп падает, см. табл. 3 и разд. 4.", "Это всё."],
    ["Elle fut bâtie p. ex. en granit par M. Dupont.", "Le port est fermé."],
    ["El Sr. García llegó.", "¿Quién lo vio?", "¡Nadie!"],
    ["Мост открыли в 1861 г. в присутствии губернатора.", "Он стоит в г. Кострома, т. е. на Волге."],
    ["متى افتتحت المكتبة؟", "افتتحت عام 1926."],
    ["橋は長い。", "「いつ？」", "川は広い！"],
]


@pytest.mark.parametrize("sentences", TEXTS, ids=lambda parts: parts[0][:20])
def test_sentences_end_where_they_do_in_their_language(sentences: list[str]) -> None:
    joined = "" if sentences[0].endswith("。") else " "
    assert split_sentences(joined.join(sentences)) == sentences


@given(
    st.text()
    | st.text(alphabet="aA.!? \n\"'“”()1。")
    | st.lists(st.sampled_from(["Dr.", "U.S.", "A", ".", "He", "1.", "''", '"', "x.", "。", "\n", "no", "No."])).map(
        " ".join
    )
)
def test_nothing_is_lost_or_invented(text: str) -> None:
    sentences = split_sentences(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in sentences)
