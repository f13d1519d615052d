"""Memory, decisions and settings of the VQA planner."""
