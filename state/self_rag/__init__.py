"""Memory, decisions and settings of Self-RAG."""
