"""Self-RAG's grades without a model."""
