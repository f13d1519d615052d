"""The reader without a model: answers extracted from the evidence."""
