"""Documents from LangChain document loaders."""
