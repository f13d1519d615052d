"""FiF's verbs: orchestrate, backtrack, traverse, select, evaluate, plan, stop, rerank."""
