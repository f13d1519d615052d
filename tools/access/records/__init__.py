"""Records of the server beside LangGraph's store: spending by day, owners of corpora, ingests."""
