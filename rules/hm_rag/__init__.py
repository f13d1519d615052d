"""HM-RAG's decisions without a model."""
