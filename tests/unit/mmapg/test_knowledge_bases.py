"""KB_text and KB_img: what lies within a radius, with its source, and whether there was more."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from fixtures.colour_encoder import ColourEncoder, draw
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.calibration.calibrate import calibrate_pictures, calibrate_texts
from backtrail.tools.corpus.calibration.radii import default_radii, radii_of, store_radii
from backtrail.tools.corpus.calibration.sample import sample_components
from backtrail.tools.corpus.filtered_corpus import FilteredCorpus
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.errors import SettingsError
from backtrail.tools.knowledge.protocol import KnowledgeReader, Statement
from backtrail.tools.knowledge_bases.image import image_base_name, search_images
from backtrail.tools.knowledge_bases.text import CorpusTexts, Entry, KnowledgeTexts, interleave


def test_every_entry_is_within_the_radius_and_names_its_source(corpus: StoredCorpus) -> None:
    query = "The Mirne tower was completed in 1931."
    reached = CorpusTexts(corpus).search([query], 0.4, 50)
    assert {entry.component for entry in reached.entries} >= {"tower#p0", "chronicle#p0"}
    assert all(entry.similarity >= 0.6 - 1e-6 for entry in reached.entries)
    tower = next(entry for entry in reached.entries if entry.component == "tower#p0")
    assert tower.text == "The Mirne tower was completed in 1931."
    assert not reached.capped


def test_queries_take_turns_so_that_a_name_leaves_room_for_a_sentence() -> None:
    name = [Entry(f"a{n}", "x", 0.9) for n in range(5)]
    sentence = [Entry(f"b{n}", "y", 0.5) for n in range(5)]
    reached = interleave([name, sentence, [name[0]]], 4, capped=False)
    assert [entry.component for entry in reached.entries] == ["a0", "b0", "a1", "b1"]
    assert reached.capped
    assert interleave([], 4, capped=False).entries == []


class Statements:
    """A knowledge graph of two statements; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, int, Any]] = []

    def search_statements(self, query: Any, radius: float, limit: int, components: Any) -> tuple[list[Any], bool]:
        assert np.asarray(query).ndim == 2
        self.asked.append((radius, limit, components))
        return [{"id": "s1", "score": 0.8}, {"id": "gone", "score": 0.7}], True

    def statements(self, ids: Collection[str]) -> dict[str, Statement]:
        held = Statement("s1", "tower#p0", "Mirne tower – completed – 1931", "triplet")
        return {"s1": held} if "s1" in ids else {}


def test_triplets_are_searched_where_there_is_a_knowledge_graph(corpus: StoredCorpus) -> None:
    knowledge = Statements()
    reached = KnowledgeTexts(corpus, cast(KnowledgeReader, knowledge)).search(["a", "b"], 0.4, 7)
    assert reached.entries == [Entry("tower#p0", "Mirne tower – completed – 1931", 0.8)]
    assert reached.capped
    assert knowledge.asked == [(0.4, 7, None)] * 2


def test_within_documents_only_their_triplets_are_searched(corpus: StoredCorpus) -> None:
    knowledge, within = Statements(), FilteredCorpus(corpus, ["torn"])
    KnowledgeTexts(within, cast(KnowledgeReader, knowledge), restricted=True).search(["a"], 0.4, 7)
    assert knowledge.asked == [(0.4, 7, corpus.children(["torn"])["torn"])]


def test_pictures_are_found_by_their_words_where_nobody_sees(corpus: StoredCorpus) -> None:
    assert image_base_name(corpus) == "words"
    reached = search_images(corpus, ["Poster of the film Torn with a windmill"], 0.3, 5)
    assert reached.entries[0].component == "torn#i0"
    assert {entry.component for entry in reached.entries} <= {"poster#i0", "torn#i0", "lost#i0"}


@pytest.fixture
def seeing(tmp_path: Path) -> StoredCorpus:
    """A corpus of single-coloured pictures, searched by their pixels."""
    for colour in ("red", "green", "blue"):
        draw(tmp_path / "pictures" / f"{colour}.png", colour)
    encoder = ColourEncoder()
    report = ingest(
        [tmp_path / "pictures"], "colours", embedder="hashed", opened=HashedEmbedder(), pixels="colours",
        opened_pixels=encoder,
    )  # fmt: skip
    assert not report.failed
    return open_corpus("colours", embedder=HashedEmbedder(), pixels=encoder)


def test_pictures_are_found_by_their_pixels_where_the_corpus_sees(seeing: StoredCorpus) -> None:
    assert image_base_name(seeing) == "pixels"
    reached = search_images(seeing, ["something red"], 0.3, 5)
    assert len(reached.entries) == 1
    assert not reached.capped
    assert search_images(seeing, ["something red"], 2.0, 2).capped


def test_an_uncalibrated_corpus_has_the_defaults_of_its_embedder(corpus: StoredCorpus) -> None:
    assert radii_of(corpus) == default_radii("hashed", sees_pixels=False)
    minilm = default_radii("minilm:fp32", sees_pixels=True)
    assert minilm.text == default_radii("offline", sees_pixels=False).text != minilm.image


def test_calibrated_radii_are_kept_until_the_embedder_changes(corpus: StoredCorpus) -> None:
    file = store_radii("tiny", 0.31, 0.62)
    held = radii_of(corpus)
    assert (held.text, held.image, held.origin) == (0.31, 0.62, "calibrated")
    file.write_text(json.dumps({**json.loads(file.read_text()), "embedder": "another"}))
    assert radii_of(corpus).origin == "default"


def test_damaged_radii_say_what_to_run(corpus: StoredCorpus) -> None:
    store_radii("tiny", 0.31, 0.62).write_text("{")
    with pytest.raises(SettingsError, match="backtrail corpus calibrate tiny"):
        radii_of(corpus)


def test_too_few_pieces_cannot_be_calibrated_from(corpus: StoredCorpus) -> None:
    with pytest.raises(SettingsError, match=r"mmapg\.text_radius"):
        calibrate_texts(corpus, sample_components("tiny", 100, ("text", "table")), 3000)


def test_the_radius_parts_what_belongs_together_from_the_rest(tmp_path: Path) -> None:
    texts = {f"d{n}": [f"The alpha{n} beta{n} gamma{n} rises. The alpha{n} beta{n} gamma{n} falls."] for n in range(40)}
    bundle = write_bundle(tmp_path / "bundle", texts)
    assert not ingest([bundle], "plain", embedder="hashed", opened=HashedEmbedder(512)).failed
    plain = open_corpus("plain", embedder=HashedEmbedder(512))
    sample = sample_components("plain", 30, ("text",))
    assert sample == sample_components("plain", 30, ("text",))
    assert len(set(sample)) == 30
    small, large = (calibrate_texts(plain, sample, entries) for entries in (80, 1_000_000))
    assert small.within(small.near) > 0.8
    assert small.within(small.random) <= 0.06
    assert large.radius <= small.radius
    assert calibrate_pictures(plain, sample, 0) is None
