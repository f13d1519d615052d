"""The Python interface: a folder, questions, streams, tools, comparisons."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loopback.openai_server import OpenAIServer, Received, Said, reply

import backtrail
from backtrail.graphs.bm25 import graph
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.errors import SettingsError

QUESTION = "Where does the Danube rise?"


@pytest.fixture
def corpus(tmp_path: Path) -> backtrail.Corpus:
    folder = tmp_path / "My rivers & bridges"
    folder.mkdir()
    (folder / "danube.md").write_text("# Danube\n\nThe Danube rises in the <i>Black Forest</i>. It has many bridges.\n")
    (folder / "rhine.md").write_text("# Rhine\n\nThe Rhine rises in the Swiss Alps.\n")
    return backtrail.Corpus.from_folder(folder)


def test_the_public_names_are_these_and_load_nothing_until_they_are_used() -> None:
    names = "Answer BacktrailError Citation Comparison Corpus Event HumanInputNeeded Trace __version__ compare"
    assert sorted(backtrail.__all__) == dir(backtrail) == names.split()
    rooms = {path.name for path in Path(backtrail.__file__).parent.iterdir()}
    assert not rooms & set(backtrail.__all__)
    code = f"""if True:
        import sys, backtrail
        for name in "{names}".split():
            assert getattr(backtrail, name)
        heavy = ["pydantic", "langgraph", "langchain_core", "numpy", "sqlalchemy", "chromadb", "httpx"]
        assert not set(heavy) & set(sys.modules), set(heavy) & set(sys.modules)
        try:
            backtrail.Corpse
        except AttributeError as error:
            print(error)
    """
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "module 'backtrail' has no attribute 'Corpse'"


def test_a_folder_is_asked_and_the_answer_cites_it(corpus: backtrail.Corpus) -> None:
    assert corpus.name == "My-rivers-bridges"
    assert corpus.report is not None
    assert corpus.report.added == 2
    answer = backtrail.Corpus.open(corpus.name).ask(QUESTION)
    assert "Black Forest" in answer.short
    assert str(answer) == answer.text
    (citation, *_) = answer.citations or answer.quotes
    assert (citation.title, citation.modality) == ("Danube", "text")
    assert "Danube" in str(citation)
    assert answer.trace.records["hops"]
    html = answer._repr_html_()
    assert "Black Forest" in html
    assert "<i>" not in html
    further = corpus.ask("And the Rhine?", thread=answer.trace.thread)
    assert further.trace.thread == answer.trace.thread
    assert "Rhine" in further.question


def test_what_cannot_be_asked_is_refused_by_name(corpus: backtrail.Corpus) -> None:
    with pytest.raises(CorpusNotFound, match="My-rivers-bridges"):
        backtrail.Corpus.open("nowhere")
    with pytest.raises(SettingsError, match="no method 'fof'"):
        corpus.ask(QUESTION, method="fof")
    with pytest.raises(SettingsError, match="shortlst"):
        corpus.ask(QUESTION, settings={"fif.shortlst": 3})
    with pytest.raises(backtrail.BacktrailError):
        corpus.ask(" ")


async def test_it_works_where_an_event_loop_runs(corpus: backtrail.Corpus) -> None:
    assert "Black Forest" in corpus.ask(QUESTION).short  # as in a cell of a notebook
    one, other = await asyncio.gather(corpus.aask(QUESTION), corpus.aask("Where does the Rhine rise?"))
    assert "Black Forest" in one.short
    assert "Alps" in other.short


def test_a_stream_tells_its_steps_and_ends_with_the_answer(corpus: backtrail.Corpus) -> None:
    events = list(corpus.stream(QUESTION))
    assert {event.kind for event in events[:-1]} >= {"step"}
    assert all(event.text for event in events)
    assert events[-1].answer is not None
    assert events[-1].text == events[-1].answer.text


def test_a_stream_that_is_left_is_closed_and_its_run_resumed(corpus: backtrail.Corpus) -> None:
    code = f"""if True:
        import backtrail
        corpus = backtrail.Corpus.open({corpus.name!r})
        for _ in range(5):
            for event in corpus.stream({QUESTION!r}, thread="left"):
                break
        print(corpus.resume("left").short)
    """
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Black Forest" in ran.stdout
    assert ran.stderr == ""


def test_a_run_that_asks_a_person_waits_for_the_reply(corpus: backtrail.Corpus) -> None:
    question = "What does the city say that lies at the river that rises in the Black Forest?"
    with pytest.raises(backtrail.HumanInputNeeded, match="resume") as asks:
        corpus.ask(question, settings={"human.plan": True})
    assert asks.value.request["action_requests"]
    answer = corpus.resume(asks.value.thread, "yes")
    assert answer.question == question
    assert answer.trace.thread == asks.value.thread
    with pytest.raises(SettingsError, match="no-such"):
        corpus.resume("no-such")


def test_a_model_is_asked_by_one_call_in_every_event_loop(corpus: backtrail.Corpus, monkeypatch: Any) -> None:
    said = {"supported": True, "text": "In the Black Forest.", "short": "Black Forest", "confidence": 0.9}

    def read(received: Received) -> Said:
        (component,) = re.findall(r'"(danube\.md#[^"]+)"', received.text)[:1]
        return reply({**said, "citations": [{"component": component}]})

    with OpenAIServer([read], forever=True) as model:
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        answers = [corpus.ask(QUESTION, method="bm25", model="openai:gpt-5-mini") for _ in range(3)]
        tool = corpus.as_tool(method="bm25", model="openai:gpt-5-mini")
        assert "Black Forest" in tool.invoke({"question": QUESTION})
    assert {answer.short for answer in answers} == {"Black Forest"}
    assert [answer.trace.usage["calls"] for answer in answers] == [1, 1, 1]
    assert answers[0].confidence is None


def test_it_is_a_retriever_and_a_tool(corpus: backtrail.Corpus) -> None:
    found = corpus.retriever(method="bm25", settings={"k": 1}).invoke(QUESTION)
    assert [document.metadata["title"] for document in found] == ["Danube"]
    assert "Black Forest" in corpus.as_tool(about="Rivers.").invoke({"question": QUESTION})


def test_methods_are_compared_and_one_that_fails_is_named(corpus: backtrail.Corpus) -> None:
    compared = backtrail.compare(QUESTION, corpus, ["bm25", "fif:published", "cogplanner"], settings={"k": 2})
    assert list(compared.answers) + list(compared.errors) == ["bm25", "fif:published", "cogplanner"]
    assert all("Black Forest" in answer.text for name, answer in compared.answers.items() if name != "cogplanner")
    assert "fif:published" in compared._repr_html_()
    with pytest.raises(SettingsError, match="fof"):
        backtrail.compare(QUESTION, corpus.name, ["bm25", "fof"])


def test_a_graph_is_invoked_without_an_event_loop(corpus: backtrail.Corpus) -> None:
    values = graph.invoke({"question": QUESTION}, context=Settings(corpus=corpus.name))
    assert "Black Forest" in values["answer"]["text"]
    steps = [
        node
        for update in graph.stream({"question": QUESTION}, context=Settings(corpus=corpus.name), stream_mode="updates")
        for node in update
    ]
    assert steps[-1] == "answer"
