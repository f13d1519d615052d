"""Memory, decisions and settings of IRCoT."""
