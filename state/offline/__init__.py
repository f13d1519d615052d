"""Reading without a model: what it adds to an answer, and its settings."""
