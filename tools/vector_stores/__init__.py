"""Vector stores (Chroma, binary signatures, Lance) behind one protocol, and the index over them."""
