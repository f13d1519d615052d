"""What a text says, read without a model: terms, sentences, clauses, questions, spans, names."""
