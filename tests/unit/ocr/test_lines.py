"""From Tesseract's table to a text: what is kept, what counts as noise, how lines are put together."""

from backtrail.tools.ocr.lines import MOST_CHARACTERS, joined, lines_of, merged

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def table(*lines: tuple[str, int, str, int, int]) -> str:
    """A table of lines: block and line as 'block.line', confidence, words, left, top. Words are 10 pixels a letter."""
    rows = [HEADER, "1\t1\t0\t0\t0\t0\t0\t0\t800\t400\t-1\t"]
    for place, confidence, text, left, top in lines:
        block, line = place.split(".")
        for number, word in enumerate(text.split(), start=1):
            box = f"{left}\t{top}\t{10 * len(word)}\t20"
            rows.append(f"5\t1\t{block}\t1\t{line}\t{number}\t{box}\t{confidence}\t{word}")
            left += 10 * len(word) + 10
    return "\n".join(rows) + "\n"


def text(*lines: tuple[str, int, str, int, int]) -> str:
    return joined(lines_of(table(*lines)))


def test_labels_are_set_apart_and_rows_stay_rows() -> None:
    rows = ("1.1", 96, "Spirit 185 kg", 0, 0), ("1.2", 96, "Curiosity 899 kg", 0, 30), ("2.1", 96, "Rovers", 0, 90)
    assert text(*rows) == "Spirit 185 kg; Curiosity 899 kg; Rovers"


def test_running_text_goes_on_and_divided_words_are_whole_again() -> None:
    page = (
        ("1.1", 96, "The ferry leaves the harbour of", 0, 0),
        ("1.2", 96, "Lindau at seven and reaches Bre-", 0, 30),
        ("1.3", 96, "genz an hour later.", 0, 60),
        ("2.1", 96, "Tickets are sold on board.", 0, 120),
    )
    assert text(*page) == (
        "The ferry leaves the harbour of Lindau at seven and reaches Bregenz an hour later. Tickets are sold on board."
    )


def test_what_is_no_word_or_unsure_is_noise() -> None:
    assert text(("1.1", 59, "Crater", 0, 0), ("2.1", 96, "| = ~", 0, 40), ("3.1", 96, "x", 0, 80)) == ""
    assert text(("1.1", 89, "Rye", 0, 0), ("2.1", 90, "500", 0, 40), ("3.1", 60, "Vesta", 0, 80)) == "500; Vesta"
    assert text() == joined(lines_of("")) == ""
    beside = ("1.1", 91, "Quillberg", 0, 0), ("1.1", 30, "lighthouse of", 100, 0), ("2.1", 30, "lighthouse", 0, 90)
    assert text(*beside) == "Quillberg lighthouse", "an unsure word is believed beside a sure one"


def test_a_second_reading_completes_lines_and_adds_what_was_missed() -> None:
    first = lines_of(table(("1.1", 96, "Parts of", 0, 0), ("2.1", 96, "ion tail", 0, 90)))
    second = lines_of(
        table(("1.1", 96, "Parts of a comet", 0, 0), ("2.1", 96, "tail", 40, 90), ("3.1", 96, "nucleus", 300, 200))
    )
    assert joined(merged(first, second)) == "Parts of a comet; ion tail; nucleus"
    assert joined(merged([], second)) == "Parts of a comet; tail; nucleus"
    assert merged(first, []) == first


def test_a_long_text_is_cut_at_a_word() -> None:
    cut = text(*((f"{n}.1", 96, "seven words on every line of it", 0, 30 * n) for n in range(300)))
    assert MOST_CHARACTERS - 20 < len(cut) <= MOST_CHARACTERS
    assert cut.endswith("…")
    assert cut[:-1].split()[-1] in {"seven", "words", "on", "every", "line", "of", "it"}
