"""The VQA planner's nodes: choose one of four paths, write the query."""
