"""Values and charsets that others declare."""

import encodings
import pkgutil
import tomllib

import pytest

from backtrail.tools.charsets import decode_charset
from backtrail.tools.untrusted_values import DEEPEST, ValueTooLarge, check_value, read_json, read_toml


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("text", [nested(DEEPEST), f'{{"text": "{"[" * 5000}"}}', nested(DEEPEST).encode(), "1" * 4000])
def test_json_within_the_limits_is_read(text):
    assert read_json(text) is not None


@pytest.mark.parametrize("text", [nested(DEEPEST + 1), nested(900).encode(), "[" * 200_000, '{"a":' * 200_000])
def test_json_that_is_nested_too_deep_is_refused(text):
    with pytest.raises(ValueTooLarge, match="more than 100 levels deep"):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (f"x = {nested(DEEPEST + 1)}", "100 levels"),
        ("x = " + "[" * 20_000, "100 levels"),
        (f"x = {{ {'a.' * DEEPEST}a = 1 }}", "100 levels"),
        (f"x = 0x{'f' * 4_300}", "4,300 digits"),
        (f"x = {'1' * 4_301}", "4,300 digits"),
    ],
)
def test_toml_beyond_a_limit_is_refused(text, limit):
    with pytest.raises(ValueTooLarge, match=limit):
        read_toml(text)


def test_toml_with_many_points_that_part_no_key_is_read():
    numbers = ", ".join(["1.5"] * 500)
    text = f'# {"a.b" * 500}\nx = [{numbers}]\ny = \'{".a" * 500}\'\nz = """\n{"." * 500}\n"""'
    assert read_toml(text)["x"] == [1.5] * 500
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml("x = ")


def doubled(times: int) -> object:
    value: object = ["x", "x"]
    for _ in range(times):
        value = {"first": value, "second": value}
    return value


def test_shared_parts_are_counted_each_time_and_measured_once():
    check_value(doubled(10), 100_000)
    with pytest.raises(ValueTooLarge, match="larger than 100,000 characters"):
        check_value(doubled(90), 100_000)
    check_value(["x" * 400] * 200, 100_000)
    with pytest.raises(ValueTooLarge, match="larger"):
        check_value([("x" * 400, b"x" * 400)] * 200, 100_000)


def test_a_shared_part_counts_as_deep_as_it_stands_deepest():
    tail: object = 1
    for _ in range(60):
        tail = [tail]
    deep = tail
    for _ in range(60):
        deep = [deep]
    with pytest.raises(ValueTooLarge, match="100 levels"):
        check_value([tail, deep])


def test_what_contains_itself_is_refused():
    endless: list[object] = []
    endless.append({"inner": endless})
    with pytest.raises(ValueTooLarge, match="contains it"):
        check_value(endless)


CODECS = [module.name for module in pkgutil.iter_modules(encodings.__path__)]


@pytest.mark.parametrize("errors", ["strict", "replace"])
@pytest.mark.parametrize("content", [b"", bytes(range(256)), b"+2AA- \\ud800 xn--\xff", b"a-" + b"b9" * 100_000])
def test_a_text_can_be_written_or_is_none_whatever_is_declared(content, errors):
    for charset in [*CODECS, "none", "\0", "utf-8\0", "ä"]:
        text = decode_charset(content, charset, errors)
        assert text is None or text.encode().decode() == text, charset


@pytest.mark.parametrize(
    ("content", "charset", "text"),
    [
        (b"Caf\xe9", "latin-1", "Café"),
        (b"Caf+AOk-", "utf-7", "Café"),
        (b"Caf\xe9", "utf-8", None),
        (b"", "no-such-charset", None),
        (b"616263", "hex", None),
        (b"\\u0041", "unicode_escape", None),
    ],
)
def test_what_is_a_charset(content, charset, text):
    assert decode_charset(content, charset) == text
