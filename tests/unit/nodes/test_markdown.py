"""Whatever a document wrote, its text in a message is text: no link, picture, heading, table or markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from backtrail.nodes.streaming.escape_markdown import (
    Escaper,
    address,
    inline,
    line,
    link,
    markdown,
    picture,
    prose,
    unescaped,
)

OF_MODELS = {"strong", "em", "code_inline", "heading", "bullet_list", "ordered_list", "list_item", "hr"}
OF_MODELS |= {"table", "thead", "tbody", "tr", "th", "td"}
HARMLESS = {"paragraph", "inline", "text", "softbreak", "hardbreak", "code_inline"}
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
# What GitHub's Markdown makes a link of by itself, wherever it stands in the text that a reader sees.
AUTOLINK = re.compile(r"(?:https?://|www\.)|(?<=[-.\w+])@(?=[-\w]+\.)", re.IGNORECASE)

HOSTILE = [
    "[click](https://evil.example)", "![x](https://evil.example/pixel.png)", "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>", "https://evil.example/login", "HTTPS://EVIL.example", "www.evil.example",
    "ask boss@evil.example", "[a]: https://evil.example\n[a]", "<https://evil.example>", "&lt;b&gt;", "# Heading",
    "Heading\n===", "Heading\n---", "---", "- item", "+ item", "* item", "1. item", "2) item", "> quote", "    code",
    "\tcode", "```\ncode\n```", "~~~\ncode", "`code`", "**bold** _it_ ~~gone~~", "a | b\n--- | ---\n1 | 2",
    "$x^2$ and $$y$$", "line\\\nline", "word  \nword", "[^1]: note", "a\x00b\x07", "x\u202egnp.exe",
    "javascript:alert(1)",
    "\\[not\\](https://evil.example)", "]](https://evil.example)", "a\r\n\r\n\r\nb", "- [ ] todo", ":::note\nx\n:::",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("ab1 .:/@#*_-+=<>[]()!`~|$&\\\n\twWhtps")),
    st.text(),
)


def nodes(tokens: list[Token]) -> set[str]:
    found: set[str] = set()
    for token in tokens:
        found |= {token.type.removesuffix("_open").removesuffix("_close"), *nodes(token.children or [])}
    return found


def shown(markdown: str, *, code: bool = False) -> str:
    """The text that a reader sees, without code unless asked for."""
    inline = [child for token in READER.parse(markdown) for child in token.children or []]
    kinds = ("text", "code_inline") if code else ("text",)
    return " ".join("".join(part.content if part.type in kinds else "\n" for part in inline).split())


@given(texts)
@pytest.mark.parametrize("escape", [prose, line])
def test_text_of_documents_means_nothing_but_itself(escape: object, text: str) -> None:
    markdown = escape(text)  # type: ignore[operator]
    assert nodes(READER.parse(f"1. Our own words: {markdown}\n")) <= {*HARMLESS, "ordered_list", "list_item"}
    assert nodes(READER.parse(markdown)) <= HARMLESS
    assert not AUTOLINK.search(shown(markdown))


@given(texts, texts)
@pytest.mark.parametrize("escape", [markdown, inline])
def test_text_of_models_is_marked_up_without_links_pictures_and_html(escape: object, text: str, more: str) -> None:
    for whole in (text, f"{text}`{more}`", f"`{text}`` {more}"):
        escaped = escape(whole)  # type: ignore[operator]
        assert nodes(READER.parse(f"- {escaped} [1]\n")) <= {*HARMLESS, *OF_MODELS}
        assert nodes(READER.parse(escaped)) <= {*HARMLESS, *OF_MODELS}
        assert not AUTOLINK.search(shown(escaped))


@pytest.mark.parametrize(
    ("text", "node"),
    [("**bold**", "strong"), ("*it*", "em"), ("see `a[0](b)`", "code_inline"), ("- one\n- two", "bullet_list"),
     ("1. one\n2. two", "ordered_list"), ("## Heading", "heading"), ("a | b\n--- | ---\n1 | 2", "table")],
)  # fmt: skip
def test_what_a_model_marks_up_is_shown_so(text: str, node: str) -> None:
    assert node in nodes(READER.parse(markdown(text)))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Ask ann.b+c@d.example.", "Ask `ann.b+c@d.example`."), ("(http://a.example/x_y)", "(`http://a.example/x_y`)"),
        ("请联系ann@d.example。", "请联系`ann@d.example`。"), ("5 @ 3", "5 @ 3"),
        ("`ann@d.example`", "\\``ann@d.example`\\`"),
        ("ann@müller.example", "`ann@m`üller.example"),
    ],
)  # fmt: skip
def test_an_address_is_copied_as_it_was_written(text: str, escaped: str) -> None:
    assert prose(text) == escaped
    assert shown(escaped, code=True) == text == unescaped(escaped)


@pytest.mark.parametrize("text", HOSTILE)
def test_it_can_be_read_as_it_was_written(text: str) -> None:
    written = re.sub("[\x00\x07\u202e]", "", text)
    assert "".join(shown(prose(text), code=True).split()) == "".join(written.split())


@given(texts, st.integers(0, 40))
def test_pieces_are_escaped_as_the_whole_is(text: str, cut: int) -> None:
    escaper, whole = Escaper(), Escaper()
    pieces = escaper.feed(text[:cut]) + escaper.feed(text[cut:]) + escaper.end()
    assert pieces == whole.feed(text) + whole.end()


@given(texts)
@pytest.mark.parametrize("marks", [False, True])
def test_a_text_that_is_still_coming_begins_as_it_will_end(marks: bool, text: str) -> None:
    for length in range(len(text)):
        assert Escaper(marks=marks).feed(text).startswith(Escaper(marks=marks).feed(text[:length]))


def test_lines_and_paragraphs_stay() -> None:
    assert prose("one\ntwo\n\n\n\nthree") == "one  \ntwo\n\nthree"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.example", "evil.example", "",
        "https://", "https://user:secret@host/", "http://[broken", "https://a.example/" + "x" * 5000,
    ],
)  # fmt: skip
def test_only_addresses_of_the_web_become_links(url: str) -> None:
    assert address(url) == ""
    assert link("Titan", url) == "Titan"
    assert picture("Titan", url) == ""


@given(texts, texts)
def test_a_link_leads_where_it_says_whatever_its_words_and_address_hold(text: str, path: str) -> None:
    [paragraph] = [token for token in READER.parse(link(f"x{text}", f"https://a.example/{path}")) if token.children]
    opened = [child for child in paragraph.children or [] if child.type == "link_open"]
    assert len(opened) <= 1
    assert all(str(child.attrs["href"]).startswith("https://a.example/") for child in opened)
    assert not any(child.type in ("image", "html_inline") for child in paragraph.children or [])
