"""Harmful pages, Markdown, notebooks, mails and tables: nesting, external files, scripts, lengths."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from campaigns.hostile.binary import png
from campaigns.hostile.cases import OUTSIDE, PATHS, Case, cases, entity_bomb

_INCLUDES = (
    "![p](@)", '--8<-- "@"', "{!@!}", "{* @ *}", "{{#include @}}", '{% include "@" %}', "<!-- @include: @ -->",
    "<<< @", '{{< readfile file="@" >}}', "```{include} @\n```", "```{literalinclude} @\n```", "[a](@)",
)  # fmt: skip
_DIRECTIVES = (
    "include:: @", "literalinclude:: @", "image:: @", "figure:: @", "csv-table::\n   :file: @",
    "csv-table::\n   :url: @", "raw:: html\n   :file: @", "raw:: html\n   :url: @",
)  # fmt: skip


def text_cases() -> Iterator[Case]:
    """Yield all cases."""
    for group in (_pages, _markdown, _restructured, _notebooks, _mails, _tables):
        yield from group()


def _pages() -> Iterator[Case]:
    frame = "<html><body><p>a</p>@</body></html>"
    for tag in ("div", "span", "b", "ul><li", "table><tr><td", "blockquote", "font", "dl><dd", "svg", "math"):
        yield Case(f"nested {tag}", ".html", frame.replace("@", f"<{tag}>" * 30_000 + "deep"))
    shown = "".join(f"<img src='{path}' alt='a'>" for path in (*PATHS, "{url}/p.png", "//127.0.0.1/p.png"))
    for defect, inner in {
        "a million links": "<a href='x.html'>x</a> " * 1_000_000,
        "300,000 links without a space": "<a href='#p'>x</a>" * 300_000,
        "a million cells": "<table>" + ("<tr>" + "<td>1</td>" * 100) * 10_000 + "</table>",
        "a span of a million": "<table><tr><td colspan=1000000 rowspan=1000000>a</table>",
        "a thousand large spans": "<table><tr>" + "<td colspan=1000 rowspan=65534>a" * 1000 + "</table>",
        "spans in stairs": "<table>" + "<tr><td rowspan=65534>a" * 3000 + "</table>",
        "pictures from elsewhere": shown,
        "frames": "<iframe src='{url}/f'></iframe><object data='{url}/o'></object><link rel=stylesheet href='{url}/c'>",
        "scripts": "<script src='{url}/s'></script><script>fetch('{url}/x')</script><a href='javascript:alert(1)'>x</a>",
        "a data address of 3 MB": f"<img alt=a src='data:image/png;base64,{'A' * 3_000_000}'>",
        "an attribute of 9 MB": "<p title='" + "x" * 9_000_000 + "'>a", "comments that do not end": "<!--" * 200_000,
        "entities": "&amp;" * 500_000 + "&#x110000;&#-1;&#99999999999;", "one id 200,000 times": "<p id=a>a</p>" * 200_000,
        "100,000 headings": "<h1>a</h1><h6>b</h6>" * 50_000,
        "figures in figures": "<figure>" * 300 + "<img src=p.png alt=a><figcaption>a" * 300,
        "a base elsewhere": "<base href='{url}/'><base href='file://{secret}'><a href='x'>x</a><img src='p.png' alt=p>",
    }.items():  # fmt: skip
        yield Case(defect, ".html", frame.replace("@", inner))
    elsewhere = f"<?xml version='1.0'?>{OUTSIDE}<html><body><p>&x;&y; a</p></body></html>"
    bomb = f"<?xml version='1.0'?>{entity_bomb()}"
    yield from cases(".xhtml", {"entities from elsewhere": elsewhere, "an entity bomb": bomb})


def _markdown() -> Iterator[Case]:
    for path in (*PATHS, "{url}/x"):
        included = "\n\n".join(form.replace("@", path) for form in _INCLUDES)
        yield Case(f"includes {path!r}", ".md", f"# a\n\n{included}")
    ring = 'a\n\n--8<-- "other.md"\n'
    yield Case("includes in a circle", ".md", ring, {"other.md": b'b\n\n--8<-- "file.md"\n\n--8<-- "other.md"\n'})
    fan = {f"n{level}.md": f'--8<-- "n{level + 1}.md"\n\n'.encode() * 20 for level in range(9)}
    yield Case("includes that multiply", ".md", '--8<-- "n0.md"\n', {**fan, "n9.md": b"x " * 1000})
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    anchors = "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in pairs)
    yield from cases(".md", {
        "front matter that multiplies": f"---\na: &a [x,x,x,x,x,x,x,x,x]\n{anchors}---\ntext\n",
        "front matter with objects": "---\na: !!python/object/apply:os.system ['touch {secret}']\n---\ntext\n",
    })  # fmt: skip
    for defect, text in {
        "nested quotes": "> " * 20_000 + "a", "nested lists": "".join(" " * n + "- a\n" for n in range(2_000)),
        "nested containers": ":::: tip\n" * 5_000, "nested admonitions": "".join("    " * n + "!!! note\n" for n in range(500)),
        "nested brackets": "[" * 50_000 + "a" + "](b)" * 50_000, "a million links": "[a](b.md) " * 300_000,
        "a wide table": "|" + "a|" * 20_000 + "\n|" + "-|" * 20_000 + "\n|" + "1|" * 20_000,
        "shortcodes that do not end": "{{< tabs >}}{{% tab %}}" * 20_000,
        "macros": "{{ ''.__class__.__mro__ }}{% for a in range(10**9) %}x{% endfor %}",
        "definitions": "[a]: b\n" * 100_000 + "[a]", "footnotes in a circle": "[^a]\n\n[^a]: [^b]\n\n[^b]: [^a]\n",
        "emphasis": "*a_ " * 50_000, "wiki links": "[[" * 50_000 + "]]" * 50_000, "raw HTML": "<div>\n\n" * 20_000,
    }.items():  # fmt: skip
        yield Case(defect, ".md", text)
        yield Case(defect, ".mdx", text)


def _restructured() -> Iterator[Case]:
    for path in (*PATHS[:8], "{url}/x"):
        directives = "\n\n".join(f".. {directive.replace('@', path)}" for directive in _DIRECTIVES)
        yield Case(f"includes {path!r}", ".rst", f"A\n=\n\n{directives}\n")
    yield Case("includes in a circle", ".rst", ".. include:: other.rst\n", {"other.rst": b".. include:: file.rst\n"})
    levels = "".join(f".. |a{n + 1}| replace:: " + f"|a{n}| " * 10 + "\n" for n in range(9))
    yield from cases(".rst", {
        "nested quotes": "".join(" " * n + "a\n\n" for n in range(2_000)),
        "nested lists": "".join("  " * n + "- a\n\n" for n in range(1_000)),
        "substitutions in a circle": ".. |a| replace:: |b|\n.. |b| replace:: |a|\n\n|a|\n",
        "substitutions that multiply": f".. |a0| replace:: xxxxxxxxxx\n{levels}\n|a9|\n",
        "a million references": "a_ `b`_ :doc:`c` " * 60_000,
    })  # fmt: skip


def _notebooks() -> Iterator[Case]:
    def cells(*given: object) -> str:
        return json.dumps({"nbformat": 4, "metadata": {}, "cells": given})

    def shows(output: object) -> str:
        return cells({"cell_type": "code", "source": "1", "outputs": [output]})

    text = {"cell_type": "markdown", "source": "a"}
    pictures = "".join(f"![p]({path})" for path in (*PATHS[:8], "attachment:x", "{url}/p"))
    data = {"image/png": base64.b64encode(png(60_000, 60_000)).decode(), "text/html": "<img src='{url}/x'>"}
    yield from cases(".ipynb", {
        "100,000 cells": cells(*[text] * 100_000), "nested 100,000 deep": '{"cells":' + "[" * 100_000,
        "cells of other types": cells(None, 1, "a", [], {}, {"cell_type": "code", "outputs": 5, "source": {"a": 1}}),
        "a picture of 3.6 gigapixels": shows({"output_type": "display_data", "data": data}),
        "pictures from elsewhere": cells({"cell_type": "markdown", "source": pictures}),
        "one number of a million digits": '{"nbformat": ' + "9" * 1_000_000 + "}",
        "signs of a terminal": shows({"output_type": "stream", "text": "\x1b[" * 200_000 + "\b\r" * 200_000}),
    })  # fmt: skip


def _mails() -> Iterator[Case]:
    head = "Subject: a\nMIME-Version: 1.0\n"
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2_000))
    shown = "<p>a</p><img src='{url}/p.png' alt=p><img src='file://{secret}' alt=p><img src='cid:x' alt=p>"

    def attached(*names: str) -> str:
        parts = "".join(f"--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=\"{name}\"\n\na,b\n1,2\n"
                        for name in names)  # fmt: skip
        return f"{head}Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--"

    yield from cases(".eml", {
        "parts 2,000 deep": f"{head}{deep}\n\na",
        "messages in messages": head + "Content-Type: message/rfc822\n\nSubject: a\n" * 500 + "\n\na",
        "5,000 attachments": attached(*["a.csv"] * 5_000), "attachments with names that climb": attached(*PATHS),
        "a body elsewhere": head + 'Content-Type: message/external-body; access-type=URL; URL="{url}/x"\n\nContent-Type: text/plain\n\n',
        "pictures from elsewhere": f"{head}Content-Type: text/html\n\n{shown}",
        "a head of 5 MB": head + "X-A: " + "a\n b" * 1_000_000 + "\n\na", "100,000 heads": head + "X-A: b\n" * 100_000 + "\n\na",
        "words in encodings that are none": b"Subject: =?no-such?q?=FF=?= =?utf-8?b?!!!?=\nContent-Type: text/plain; charset=none\n\n\xff\xfe",
    })  # fmt: skip
    yield from cases(".mbox", {
        "60,000 messages": "From a\nSubject: a\n\nb\n\n" * 60_000,
        "answers in a circle": "From a\nMessage-ID: <1>\nIn-Reply-To: <2>\n\na\n\nFrom b\nMessage-ID: <2>\nIn-Reply-To: <1>\n\nb\n",
    })  # fmt: skip


def _tables() -> Iterator[Case]:
    for ending, mark in ((".csv", ","), (".tsv", "\t")):
        yield from cases(ending, {
            "a million cells": (mark.join("1" * 10) + "\n") * 100_000, "a row of a million cells": mark * 1_000_000,
            "a quote that does not end": 'a,b\n"' + "x,y\n" * 200_000, "a cell of 9 MB": f"a{mark}{'x' * 9_000_000}\n",
            "formulas": f'=cmd|" /C calc"!A0{mark}=WEBSERVICE("{{url}}/x")\n1{mark}2\n',
            "rows of other lengths": "".join(mark * (n % 50) + "a\n" for n in range(20_000)),
        })  # fmt: skip
