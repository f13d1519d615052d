"""Memory, decisions and settings of HM-RAG."""
