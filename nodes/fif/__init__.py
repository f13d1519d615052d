"""FiF's nodes: orchestrate, backtrack, traverse, select, evaluate, plan, advance, stop, rerank."""
