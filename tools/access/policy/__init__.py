"""The host's policy: what clients of the server may choose and spend, by key and by group."""
