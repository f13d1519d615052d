from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox


class Machine:
    """A method over the tiny corpus, with every model decision scripted; checkpoints as on the server."""

    def __init__(self, method: str, corpus: Any, script: dict[str, Any], **settings: Any) -> None:
        self.decider = ScriptedDecider(script)
        toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: self.decider)
        self.settings = Settings(corpus="tiny", planner="scripted", reader="scripted", **settings)
        self.graph = find_method(method).build(toolbox).compile(checkpointer=InMemorySaver(serde=strict_serializer()))
        self._thread: Any = {"configurable": {"thread_id": "t"}}

    async def ask(self, question: str | None) -> dict[str, Any]:
        """The state after this question, or (None) after going on from the last checkpoint."""
        asked = None if question is None else {"question": question}
        await self.graph.ainvoke(asked, self._thread, context=self.settings)
        return (await self.graph.aget_state(self._thread)).values

    @property
    def asked(self) -> list[str]:
        return [one.decision for one in self.decider.history]


@pytest.fixture
def machine(space_corpus: StoredCorpus) -> Callable[..., Machine]:
    return lambda method, script, **settings: Machine(method, space_corpus, script, **settings)


def read_first(inputs: Any) -> dict[str, Any]:
    """A reader that quotes the first piece of evidence."""
    first = inputs.evidence[0]
    citations = [{"component": first.id, "sentence": 0}]
    return {"answer": first.sentences[0], "citations": citations, "supported": True, "confidence": 0.5}


@pytest.fixture(name="read_first")
def _read_first() -> Callable[[Any], dict[str, Any]]:
    return read_first
