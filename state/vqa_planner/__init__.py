"""What the VQA planner remembers, decides and is set by."""
