"""The reader without a model: answers taken from pieces of the evidence."""
