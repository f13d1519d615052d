"""Compare the extraction of main text from saved pages with trafilatura's.

    python benchmarks/page_contents.py evaldata FILE FOLDER… [--half 0|1]
    python benchmarks/page_contents.py articles FILE FOLDER

``evaldata`` is the format of trafilatura's tests: for each page, strings that belong to it and strings that do not.
``articles`` is that of scrapinghub/article-extraction-benchmark: the article typed by hand, compared by 4-grams of
words. Nothing is stored. The halves split the pages by a hash of their names: one for development, one for testing.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from trafilatura import extract, html2txt

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.parse import parse_html
from backtrail.state.component import Component

Reader = Callable[[bytes], str]


def ours(content: bytes) -> str:
    """Return all searchable text of a page, including title and sections."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_bytes(content)
        try:
            parsed = parse_html(path, "page.html", Path(folder))
        except UnreadableSource:
            return ""
    texts = [parsed.document.title]
    for section, parts in groupby(parsed.components, key=lambda part: part.section):
        texts.append(section)
        texts.extend(text for part in parts for text in _texts(part))
    return "\n".join(texts)


def _texts(part: Component) -> list[str]:
    texts = [part.text or ""]
    if part.table:
        texts += [part.table.caption, *part.table.header, *(cell for row in part.table.rows for cell in row)]
    if part.image:
        texts += [part.image.caption, part.image.alt]
    return texts


READERS: dict[str, Reader] = {
    "ours": ours,
    "trafilatura": lambda content: extract(content) or "",
    "trafilatura, for recall": lambda content: extract(content, favor_recall=True) or "",
    "all text": lambda content: html2txt(content),
}


def main() -> None:
    """Print a row of shares for each reader."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("format", choices=["evaldata", "articles"])
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("folders", type=Path, nargs="+")
    arguments.add_argument("--half", type=int, choices=[0, 1])
    arguments.add_argument("--reader", choices=READERS, action="append")
    arguments.add_argument("--misses", action="store_true", help="list strings that ours loses or keeps wrongly")
    options = arguments.parse_args()
    gold = json.loads(options.gold.read_text())
    pages = [page for page in _pages(gold, options.folders) if options.half is None or _half(page[0]) == options.half]
    print(f"{len(pages)} pages")
    for name in options.reader or READERS:
        counts: Counter[str] = Counter()
        for page, content, entry in pages:
            text = _plain(READERS[name](content))
            if options.format == "evaldata":
                _count_strings(page, text, entry, counts, show=options.misses and name == "ours")
            else:
                _count_words(page, text, _plain(entry["articleBody"]), counts, show=options.misses and name == "ours")
        print(f"  {name}: " + _shares(options.format, counts))


def _pages(gold: dict[str, dict[str, str]], folders: list[Path]) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    for name, entry in gold.items():
        wanted = (entry.get("file") or f"{name}.html", f"{name}.html.gz")
        found = next((folder / file for folder in folders for file in wanted if (folder / file).is_file()), None)
        if found is not None:
            content = found.read_bytes()
            yield name, gzip.decompress(content) if found.suffix == ".gz" else content, entry


def _half(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2


def _plain(text: str) -> str:
    return " ".join(text.split())


def _count_strings(page: str, text: str, entry: dict[str, str], counts: Counter[str], *, show: bool) -> None:
    squeezed = re.sub(r"\s", "", text)
    for said, name in (("with", "belongs"), ("without", "does not")):
        for string in entry[said]:
            found = re.sub(r"\s", "", string) in squeezed
            counts[name] += 1
            counts[f"{name}, read"] += found
            if show and found == (said == "without"):
                print(f"    {'kept' if found else 'lost'}: {entry.get('file', page)}: {string[:100]}")


def _count_words(page: str, text: str, article: str, counts: Counter[str], *, show: bool) -> None:
    read, typed = _runs(text), _runs(article)
    lost = (typed - read).total()
    if show and lost > 0.05 * typed.total():
        print(f"    lost: {page}: {lost} of {typed.total()} runs")
    counts["read"] += read.total()
    counts["typed"] += typed.total()
    counts["both"] += (read & typed).total()


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return Counter(zip(*(words[start:] for start in range(4)), strict=False))


def _shares(kind: str, counts: Counter[str]) -> str:
    if kind == "evaldata":
        kept = counts["belongs, read"] / max(counts["belongs"], 1)
        out = 1 - counts["does not, read"] / max(counts["does not"], 1)
        return f"{kept:.1%} of {counts['belongs']} that belong read, {out:.1%} of {counts['does not']} others left out"
    recall, precision = counts["both"] / max(counts["typed"], 1), counts["both"] / max(counts["read"], 1)
    return f"{recall:.1%} of the articles' words read, {precision:.1%} of what is read is article"


if __name__ == "__main__":
    main()
