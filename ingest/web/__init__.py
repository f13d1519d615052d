"""Sites of the web: walked within bounds, kept as files, and ingested like a folder."""
