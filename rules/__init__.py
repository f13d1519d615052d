"""The offline decider: pure functions on the same typed inputs that a model gets."""
