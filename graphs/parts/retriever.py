"""A method as a LangChain retriever: its ranking, with the citations of its answer."""

from __future__ import annotations

import asyncio

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from pydantic import ConfigDict, Field

from backtrail.graphs.parts.ask import Ended, ask
from backtrail.nodes.reading.component_views import component_text
from backtrail.state.settings import Settings
from backtrail.tools.run_coroutine import run_coroutine
from backtrail.tools.toolbox import Toolbox


class MethodRetriever(BaseRetriever):
    """Run a method for each query and return its ranking.

    The metadata of each document are ``id``, ``document`` (its id), ``title``, ``section``, ``modality``, ``score``,
    ``source`` (address or path, if known), ``citations`` (those of the answer, each with ``locator`` and ``quote``;
    often none), and ``answer`` and ``abstained`` of the run.

    Args:
        method: name of the method.
        settings: corpus, models, ``k`` and all other settings of the run.
        toolbox: corpora and models; its own by default.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    method: str = "fif"
    settings: Settings = Field(default_factory=Settings)
    toolbox: Toolbox = Field(default_factory=Toolbox, exclude=True)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        callbacks: RunnableConfig = {"callbacks": run_manager.get_child()}
        ended = await ask(self.method, self.toolbox, self.settings, query, callbacks)
        return await asyncio.to_thread(self._documents, ended)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        ended = run_coroutine(ask(self.method, self.toolbox, self.settings, query))
        return self._documents(ended)

    def _documents(self, ended: Ended) -> list[Document]:
        """Convert the ranking to documents. Reads the corpus (blocking)."""
        answer, ranking = ended["answer"], ended["ranking"]
        contents = self.toolbox.contents(self.settings)
        components = contents.components([scored["id"] for scored in ranking])
        documents = contents.documents({component.document for component in components.values()})
        found: list[Document] = []
        for scored in ranking:
            component = components.get(scored["id"])
            if component is None:
                continue
            document = documents.get(component.document)
            cited = [one for one in answer["citations"] if one["component"] == component.id]
            metadata = {
                "id": component.id, "document": component.document,
                "title": document.title if document else component.document, "section": component.section,
                "modality": component.modality, "score": scored["score"],
                "source": document.source if document else "", "citations": cited,
                "answer": answer.get("short") or answer["text"], "abstained": answer["abstained"],
            }  # fmt: skip
            found.append(Document(id=component.id, page_content=component_text(component), metadata=metadata))
        return found
