"""HM-RAG's nodes: divide, the agents, collect, vote, settle, combine."""
