"""Self-RAG's nodes: grade, draft, check, rewrite."""
