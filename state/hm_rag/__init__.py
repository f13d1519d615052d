"""What HM-RAG remembers, decides and is set by."""
