"""Files that clients of a server bring, corpus by corpus: a corpus of uploads is what its folder holds."""
