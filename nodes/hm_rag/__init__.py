"""HM-RAG's verbs: divide, three agents, collect, vote, settle, combine."""
