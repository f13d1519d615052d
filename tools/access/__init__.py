"""Access to the server: keys, tokens, policy, and owners of threads and corpora."""
