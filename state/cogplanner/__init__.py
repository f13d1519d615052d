"""Memory, decisions and settings of CogPlanner."""
