"""Pages in seven languages, ingested and asked: the right component is found, and quoted instead of cut into spans."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.graphs import bm25, fif, hybrid, lilac
from backtrail.ingest.pipeline import ingest
from backtrail.language.sentences import split_sentences
from backtrail.state.component import Component
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.toolbox import Toolbox

PAGES = Path(__file__).parents[1] / "fixtures" / "languages"
LANGUAGES = ("de", "fr", "es", "ru", "zh", "ja", "ar")
METHODS: dict[str, Callable[[Toolbox], Any]] = {
    "bm25": bm25.build, "hybrid": hybrid.build, "fif": fif.build, "lilac": lilac.build
}  # fmt: skip


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A corpus of each language, and one with the pages of all of them beside each other."""
    home = tmp_path_factory.mktemp("languages")
    patch = pytest.MonkeyPatch()
    patch.setenv("BACKTRAIL_HOME", str(home / "home"))
    embedder = HashedEmbedder()
    ignored = shutil.ignore_patterns("questions.jsonl")
    for language in LANGUAGES:
        shutil.copytree(PAGES / language, home / "pages" / language, ignore=ignored)
        ingest([home / "pages" / language], language, embedder="hashed", opened=embedder)
    ingest([home / "pages"], "all", embedder="hashed", opened=embedder)
    opened: dict[str, StoredCorpus] = {name: open_corpus(name, embedder=embedder) for name in (*LANGUAGES, "all")}
    yield opened
    patch.undo()


def questions(language: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (PAGES / language / "questions.jsonl").read_text("utf-8").splitlines()]


def written(component: Component) -> str:
    rows = component.table.rows if component.table is not None else ()
    return "\n".join([component.text or "", *(" | ".join(row) for row in rows)])


async def asked(corpora: dict[str, StoredCorpus], method: str, corpus: str, question: str) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: corpora[name])
    graph = METHODS[method](toolbox).compile()
    return await graph.ainvoke({"question": question}, context=Settings(corpus=corpus))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("method", ["bm25", "hybrid", "fif", "lilac"])
async def test_the_right_component_is_found_and_quoted_whole(
    corpora: dict[str, StoredCorpus], language: str, method: str
) -> None:
    places: list[int] = []
    answered = 0
    for one in questions(language):
        out = await asked(corpora, method, language, one["question"])
        held = corpora[language].components([scored["id"] for scored in out["ranking"]])
        ranked = [held[scored["id"]] for scored in out["ranking"]]
        gold = [n for n, found in enumerate(ranked) if one["quote"] in written(found)]
        places.append(gold[0] if gold else len(ranked))
        answer = out["answer"]
        answered += one["quote"] in answer["text"]
        if not answer["abstained"]:  # never a span cut out of a sentence
            pieces = {piece for found in ranked for piece in split_sentences(found.text or "")}
            rows = {cell for found in ranked if found.table for row in found.table.rows for cell in row}
            assert answer["text"] in pieces or any(cell in answer["text"] for cell in rows)
    # the vectors here are hashes, which say nothing of a text: where they count as much as words, they blur
    assert (max(places) if method in ("bm25", "fif") else min(places)) < 4
    if method == "bm25":
        assert places.count(0) >= 3
    if method == "fif":
        assert answered >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_find_pages_of_their_language_among_all(corpora: dict[str, StoredCorpus], language: str) -> None:
    for one in questions(language):
        assert corpora["all"].language(one["question"]) == language
        first = corpora["all"].search_lexical(one["question"], "component", 1)[0]["id"]
        assert first.startswith(f"{language}/")
