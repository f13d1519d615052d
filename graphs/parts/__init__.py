"""Methods as parts of other LangChain applications: a retriever, and a tool for agents."""
