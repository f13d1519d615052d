"""What Self-RAG remembers and decides."""
