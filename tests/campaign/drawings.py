"""Defects of drawings: what makes a renderer take all time and memory, and what leads out of the file."""

from __future__ import annotations

from collections.abc import Iterator

from campaign.cases import Case

_NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_ENTITIES = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y SYSTEM "{url}/entity">]>'
_LEVELS = "".join(f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))


def _svg(inside: str, size: str = 'width="300" height="300"', before: str = "") -> bytes:
    return f"{before}<svg {_NAMES} {size}>{inside}</svg>".encode()


def drawing_cases() -> Iterator[Case]:
    """All of them."""
    for name, source in {
        "file": "{secret}",
        "file:": "file://{secret}",
        "web": "{url}/x.png",
        "climb": "../secret.txt",
    }.items():
        for tag in ("image", "feImage", "use", "script", "a"):
            yield Case(
                f"{tag} from {name}",
                ".svg",
                _svg(f'<{tag} xlink:href="{source}" href="{source}" width="9" height="9"/>'),
            )
    for defect, content in {
        "entities from elsewhere": _svg("<text>&x;&y;</text>", before=_ENTITIES),
        "a style sheet from elsewhere": _svg('<style>@import "{url}/a.css";@font-face{src:url({url}/f)}</style>',
                                             before='<?xml version="1.0"?><?xml-stylesheet href="{url}/b.css"?>'),
        "used 10^11 times": _svg(f'<defs><g id="a0"><path d="M0 0h1"/></g>{_LEVELS}</defs><use xlink:href="#a11"/>'),
        "used by itself": _svg('<g id="a"><use xlink:href="#a"/></g>'),
        "a pattern of itself": _svg('<pattern id="p" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/>'
                                    '</pattern><rect fill="url(#p)" width="99" height="99"/>'),
        "noise of 100,000 octaves": _svg('<filter id="f"><feTurbulence baseFrequency=".05" numOctaves="100000"/>'
                                         '</filter><rect width="300" height="300" filter="url(#f)"/>'),
        "a blur of a million": _svg('<filter id="f" width="1e7" height="1e7"><feGaussianBlur stdDeviation="1e6"/>'
                                    '</filter><rect width="300" height="300" filter="url(#f)"/>'),
        "dashes without number": _svg('<path d="M0 0H1e9" stroke="red" stroke-dasharray=".001"/>'),
        "10^18 pixels": _svg("<rect/>", 'width="1e9" height="1e9"'), "one pixel wide": _svg("", 'viewBox="0 0 1 1e9"'),
        "no size": _svg("<text>a</text>", ""), "NaN wide": _svg("<text>a</text>", 'width="NaN" height="-1"'),
        "nested 50,000 deep": _svg("<g>" * 50_000), "a million elements": _svg("<g/>" * 1_000_000),
        "a path of 5 MB": _svg(f'<path d="M0 0{"L9 9" * 1_200_000}"/>'),
        "a picture within pictures": _svg('<image href="data:image/svg+xml,&lt;svg xmlns=&quot;http://www.w3.org/2000/svg'
                                          '&quot;&gt;&lt;image href=&quot;{secret}&quot;/&gt;&lt;/svg&gt;"/>'),
    }.items():  # fmt: skip
        yield Case(defect, ".svg", content)
