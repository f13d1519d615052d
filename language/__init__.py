"""Text analysis without a model: terms, sentences, clauses, questions, spans, names."""
