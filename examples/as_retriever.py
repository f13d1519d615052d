"""A method as a retriever in a LangChain chain: ``python -m examples.as_retriever`` after ``backtrail demo``."""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda

from backtrail.graphs.parts.retriever import MethodRetriever
from backtrail.state.settings import Settings


def chain(retriever: MethodRetriever) -> Runnable[str, str]:
    """What the method cites, one source a line; any chain that takes documents may stand behind the retriever."""

    def cited(documents: list[Document]) -> str:
        lines = [
            f"{document.metadata['title']}: {citation['quote']}"
            for document in documents
            for citation in document.metadata["citations"]
        ]
        return "\n".join(lines) or "Nothing was cited."

    return retriever | RunnableLambda(cited)


if __name__ == "__main__":
    found = MethodRetriever(method="fif", settings=Settings(corpus="examples", k=5))
    print(chain(found).invoke("Which rocket launched the first mission to orbit Jupiter?"))
