"""Vector stores: Chroma, a scan of signs, Lance, behind one protocol, and the index that searches ask."""
