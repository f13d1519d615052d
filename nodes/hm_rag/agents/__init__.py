"""The retrieval agents of HM-RAG, one file each; ``table`` lists them."""
