"""Self-RAG's verbs: grade, draft, check, rewrite."""
