"""What an answer rests on (evidence, own knowledge, quotes of the rules), and what is said of it."""

from typing import Any

import pytest
from fixtures.read_answers import QUOTE, read

from backtrail.graphs.methods import find_method
from backtrail.nodes.answer import answer
from backtrail.nodes.reading.abstain_below_confidence import NEAREST, abstain_below_confidence
from backtrail.nodes.reading.answer_grounds import in_quotes
from backtrail.nodes.reading.disambiguate_titles import disambiguate_titles
from backtrail.nodes.streaming.small_talk_replies import COLLECTIONS, describe_collection
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText, cites_evidence
from backtrail.state.chat.stop_messages import ending
from backtrail.state.offline.extract import LEVELS, Level
from backtrail.state.offline.settings import OfflineSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.variant import VariantName
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

QUESTION = "When was Voyager 2 launched?"
OWN = {"short": "1977", "text": "It was launched in 1977.", "citations": [], "grounds": "own", "supported": True}
OWN_REPLY = {**OWN, "confidence": 0.9}
PAGE = EvidenceText(id="p", modality="text", title="Voyager 2", sentences=["It flew past Triton."], score=1.0)


async def ask(corpus: Any, script: dict[str, Any], method: str = "bm25", **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: ScriptedDecider(script))
    steered = Settings(corpus="tiny", planner="scripted", reader="scripted", **settings)
    return await find_method(method).build(toolbox).compile().ainvoke({"question": QUESTION}, context=steered)


async def test_own_knowledge_is_marked_and_cites_nothing(space_corpus: Any) -> None:
    asked: list[str] = []

    def reply(inputs: Any) -> dict[str, Any]:
        asked.append(inputs.knowledge)
        return OWN_REPLY

    values = await ask(space_corpus, {"answer": reply}, knowledge="both")
    assert asked == ["both"]
    assert (values["answer"]["grounds"], values["answer"]["citations"]) == ("own", [])
    assert values["answer"]["text"] == OWN["text"]
    assert "own knowledge" in values["messages"][-1].text


async def test_alone_it_is_asked_without_the_evidence(space_corpus: Any) -> None:
    script = {"answer_alone": [{"short": "1977", "text": "In 1977.", "known": True, "confidence": 0.9}]}
    values = await ask(space_corpus, script, knowledge="own")
    assert (values["answer"]["grounds"], values["answer"]["short"]) == ("own", "1977")
    assert values["ranking"], "what was found is ranked all the same"


async def test_by_default_a_method_reads_as_its_paper_has_it(space_corpus: Any) -> None:
    asked: list[str] = []

    def reply(inputs: Any) -> dict[str, Any]:
        asked.append(inputs.knowledge)
        return {**OWN_REPLY, "supported": False, "grounds": "evidence", "confidence": 0.0}

    await ask(space_corpus, {"answer": reply})
    toolbox = Toolbox(open_corpus=lambda _: space_corpus, open_decider=lambda *_: ScriptedDecider({"answer": reply}))
    state: Any = {
        "messages": [], "question": QUESTION, "image": None, "subqueries": [], "evidence": {}, "usage": {},
        "ranking": [{"id": next(iter(space_corpus.components([]) or ["triton#p0"])), "score": 1.0}],
    }  # fmt: skip

    class Runtime:
        context = Settings(corpus="tiny", reader="scripted")

    await answer(toolbox, knowledge="both")(state, Runtime())  # type: ignore[arg-type]
    assert asked == ["evidence", "both"]


@pytest.mark.parametrize(
    ("knowledge", "reply", "fits"),
    [
        ("evidence", OWN_REPLY, False),
        ("both", OWN_REPLY, True),
        ("both", {**OWN_REPLY, "citations": [{"component": "p"}]}, False),
        ("both", {**OWN_REPLY, "grounds": "both"}, False),
        ("both", {**OWN_REPLY, "grounds": "both", "citations": [{"component": "p"}]}, True),
    ],
)
def test_grounds_and_citations_agree(knowledge: Any, reply: dict[str, Any], fits: bool) -> None:
    inputs = AnswerInputs(question=QUESTION, knowledge=knowledge, evidence=[PAGE])
    reading = ANSWER.output.model_validate(reply)
    assert (cites_evidence(inputs, reading) == []) is fits


@pytest.mark.parametrize(
    ("beyond", "missing"),
    [("", []), ("A blue whale sang there.", []), ("It was in 1977 with Neil Armstrong.", ["1977", "Neil Armstrong"])],
)
async def test_numbers_and_names_that_nothing_cited_contains_are_listed(
    space_corpus: Any, beyond: str, missing: list[str]
) -> None:
    def reply(inputs: Any) -> dict[str, Any]:
        sentences = [(one.id, place, said) for one in inputs.evidence for place, said in enumerate(one.sentences)]
        cited = [{"component": id_, "sentence": place} for id_, place, said in sentences if "Triton" in said]
        text = f"It flew past Triton. {beyond}"
        return {"short": "Triton", "text": text, "citations": cited, "supported": True, "confidence": 0.9}

    values = await ask(space_corpus, {"answer": reply})
    assert values["answer"].get("not_found", []) == missing
    assert ("Not found in the cited sources" in values["messages"][-1].text) is bool(missing)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("least", LEVELS)
def test_a_short_answer_is_given_from_the_level_that_the_host_sets(level: Level, least: Level) -> None:
    reply = abstain_below_confidence(read(level), Settings(offline=OfflineSettings(min_confidence=least)))
    if LEVELS.index(level) >= LEVELS.index(least):
        assert reply == read(level)
    else:
        assert (reply["abstained"], reply.get("short"), reply["citations"]) == (True, "", [])
        assert "16 days" not in reply["text"].partition("\n")[0]
        assert "Titan › Orbit (table, row 3): “Period: 16 days”" in reply["text"]
        assert NEAREST in reply["text"]


@pytest.mark.parametrize(("variant", "said"), [("ours", False), ("published", True)])
def test_only_the_published_variant_says_what_it_is_unsure_of(variant: VariantName, said: bool) -> None:
    assert abstain_below_confidence(read("low"), Settings(variant=variant))["abstained"] is not said


def test_an_abstention_keeps_its_reason_and_shows_quotes() -> None:
    reply = abstain_below_confidence(
        read("low", abstained=True), Settings(offline=OfflineSettings(min_confidence="low"))
    )
    assert reply["text"].startswith("I found no answer. ")
    assert "Titan › Orbit" in reply["text"]


def test_what_a_model_said_stays_as_it_is() -> None:
    said: Answer = {"text": "42", "citations": [], "confidence": 0.1, "abstained": False}
    assert abstain_below_confidence(said, Settings()) is said
    told = in_quotes(read("high"), "The model failed.")
    assert abstain_below_confidence(told, Settings()) is told


def cited(document: str, title: str = "Revision History", **more: Any) -> Any:
    return {**QUOTE, "component": f"{document}#1", "document": document, "title": title, **more}


def reply(*citations: Any, **more: Any) -> Any:
    return {"short": "", "text": "", "citations": list(citations), "confidence": 1.0, "abstained": False, **more}


def test_what_no_other_path_has_stands_behind_the_title():
    answer = reply(
        cited("sea/en/history.md", duplicates=[cited("lake/en/history.md")]), cited("sea/en/oars.md", "Oars"),
        quotes=[cited("old/history.md", "REVISION history")],
    )  # fmt: skip
    titled = disambiguate_titles(answer)
    first, second = titled["citations"]
    assert (first["title"], second["title"]) == ("Revision History (sea)", "Oars")
    assert first["duplicates"][0]["title"] == "Revision History (lake)"
    assert titled["quotes"][0]["title"] == "REVISION history (old)"


def test_paths_without_a_part_of_their_own_are_said_whole():
    titles = [one["title"] for one in disambiguate_titles(reply(cited("a/b.md"), cited("b/a.md")))["citations"]]
    assert titles == ["Revision History (a/b.md)", "Revision History (b/a.md)"]


def test_titles_of_one_document_each_stay():
    answer = reply(cited("a.md"), cited("a.md"), cited("b.md", "Oars"))
    assert disambiguate_titles(answer) is answer


def test_every_ceiling_is_told_in_words() -> None:
    endings = {ending(f"budget:{name}") for name in Budget.model_fields}
    assert "the budget of model calls was used up" in endings
    assert not any("_" in one for one in endings)


@pytest.mark.parametrize("language", COLLECTIONS)
def test_a_collection_of_one_document_is_told_so(language: str) -> None:
    words = COLLECTIONS[language]
    sentence, among = describe_collection(language, "mine", 1, {"text": 1, "table": 2})
    assert f"1 {words.document[0]} " in sentence
    assert f"1 {words.text[0]}, 2 {words.table[1]}." in sentence
    assert among == words.among
