"""Charsets that others declare."""

import encodings
import pkgutil

import pytest

from backtrail.tools.charsets import decode_charset

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
        (b"caf-dma", "punycode", None),
        (b"\\u0041", "unicode_escape", None),
    ],
)
def test_what_is_a_charset(content, charset, text):
    assert decode_charset(content, charset) == text
